import type { Logger } from 'pino';
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Takeover, TakeoverStart } from '@steadyhand/contracts';
import type { Sandboxes } from '@steadyhand/sandbox/client';
import type { SessionRuntime } from '@steadyhand/server';
import { markDelivered, undelivered, type UserLogEvent } from '@steadyhand/sessions';
import type { MachineSnapshotView, MachineStart, MachineState } from '@steadyhand/statechart/workflow';
import { type Store, stored } from '@steadyhand/store';
import type { SessionContext, SessionEvent, SessionInput } from '@steadyhand/workflows';
import { withApiErrors } from './sandbox-service.ts';
import { activeSessions, reminders, reportFailedWorkflow, workflowStatus } from './lost-sessions.ts';
import { SessionDeletions } from './session-deletions.ts';
import { SessionTakeovers } from './session-takeovers.ts';

const RETRY_MS = 2000;

interface WorkflowRuntimeOptions {
  readonly client: Client;
  readonly store: Store;
  readonly sandboxes: Pick<Sandboxes, 'delete' | 'reach'>;
  readonly log: Logger;
  /** The names of the search attributes; undefined when the Temporal service has none. */
  readonly attributes: { readonly state: string; readonly session: string } | undefined;
  /** Where the workflows run. */
  readonly taskQueue: string;
  /** After this time without a heartbeat a step is lost with its worker. A workflow keeps what it began with. */
  readonly heartbeatTimeoutMs: number;
}

/** Delivers the events of the sessions' logs to their workflows. A session's workflow is started with its first event. */
export class WorkflowRuntime implements SessionRuntime {
  readonly #options: WorkflowRuntimeOptions;
  readonly #takeovers: SessionTakeovers;
  readonly #deletions: SessionDeletions;
  /** The delivery under way for each session, because events reach a workflow one after the other, in the log's order. */
  readonly #deliveries = new Map<string, Promise<void>>();
  #retryTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WorkflowRuntimeOptions) {
    this.#options = options;
    const { store, sandboxes } = options;
    this.#deletions = new SessionDeletions({
      ...options,
      endWorkflow: async (session) => {
        // A delivery that is under way may be about to start the workflow.
        await this.#deliveries.get(session)?.catch(() => undefined);
        await this.#handle(session).terminate('session deleted');
      },
    });
    this.#takeovers = new SessionTakeovers({
      store,
      sandboxes,
      send: (session, event) => this.send(session, event),
      requested: async (session) => {
        const { context } = await this.#handle(session).query<MachineSnapshotView>('snapshot');
        return (context as SessionContext).takeover?.takeover ?? null;
      },
    });
  }

  /**
   * Delivers the user events in the session's outbox to its workflow. While Temporal cannot be reached, this is tried again
   * every few seconds.
   */
  async deliver(session: string): Promise<void> {
    try {
      await this.#inTurn(session, () => this.#deliver(session));
    } catch (error) {
      this.#options.log.warn({ err: error, session }, 'events not delivered yet');
      this.#retry();
    }
  }

  /** Finishes the deletions that an earlier process began. */
  async finishDeletions(): Promise<void> {
    await this.#deletions.finishAll();
  }

  /** Delivers what an earlier process accepted and could not deliver. */
  async deliverAll(): Promise<void> {
    const events = await undelivered(this.#options.store);
    const sessions = new Set(events.map((event) => event.session));
    await Promise.all([...sessions].map((session) => this.deliver(session)));
  }

  /**
   * Checks every session that is not at rest. A session without a workflow gets another one, which goes on where the log ends.
   * A workflow that was set back is told so, and a session whose workflow failed reports that.
   */
  async reviveAll(): Promise<void> {
    for await (const { id } of activeSessions(this.#options.store)) {
      if (this.#closed) return;
      await this.#inTurn(id, () => this.#revive(id)).catch((error: unknown) => {
        this.#options.log.error({ err: error, session: id }, 'not known whether the session has a workflow');
      });
    }
  }

  /** Stops trying; what is undelivered waits for the next start. */
  close(): void {
    clearTimeout(this.#retryTimer);
    this.#deletions.close();
    this.#closed = true;
  }

  /** The state machine's state, such as `tool_use.running`; null when the session has no workflow. */
  async state(session: string): Promise<string | null> {
    try {
      const { state } = await this.#handle(session).query<MachineSnapshotView>('snapshot');
      return state;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }

  /** Sends an event to the state machine; rejects with a WorkflowUpdateFailedError when it is not legal now. */
  async send(session: string, event: SessionEvent): Promise<MachineState> {
    return await this.#handle(session).executeUpdate<MachineState, [SessionEvent]>('send', { args: [event] });
  }

  async takeOver(
    session: string,
    terms: TakeoverStart,
    options: { readonly interrupt: boolean },
  ): Promise<Takeover | null> {
    const { client } = this.#options;
    try {
      await client.workflow.start('session', await this.#start(session));
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    return withApiErrors(() => this.#takeovers.takeOver(session, terms, options));
  }

  handBack(session: string, takeover: string): Promise<Takeover | null> {
    return withApiErrors(() => this.#takeovers.handBack(session, takeover));
  }

  async end(session: string): Promise<void> {
    await this.#deletions.finish(session);
  }

  #retry(): void {
    if (this.#retryTimer !== undefined || this.#closed) return;
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined;
      this.deliverAll().catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'the outbox cannot be read');
        this.#retry();
      });
    }, RETRY_MS);
  }

  async #inTurn(session: string, work: () => Promise<void>): Promise<void> {
    const before = this.#deliveries.get(session) ?? Promise.resolve();
    const delivery = before.catch(() => undefined).then(work);
    this.#deliveries.set(session, delivery);
    try {
      await delivery;
    } finally {
      if (this.#deliveries.get(session) === delivery) this.#deliveries.delete(session);
    }
  }

  async #revive(session: string): Promise<void> {
    const { client, store, log } = this.#options;
    const record = await store.sessions.get(session);
    if (record === undefined) return;
    const status = await workflowStatus(client, workflowIdOf(session));
    if (status === 'failed') return await reportFailedWorkflow(store, log, record);
    for (const event of await reminders(store, record, machineEvent)) {
      await client.workflow.signalWithStart('session', {
        ...(await this.#start(session)),
        signal: 'send',
        signalArgs: [event],
      });
    }
    if (status === 'gone') log.warn({ session }, 'the workflow of a session was gone: another one goes on');
  }

  async #deliver(session: string): Promise<void> {
    const { client, store } = this.#options;
    for (const event of await undelivered(store, session)) {
      const signal = machineEvent(event);
      if (signal === undefined) {
        await markDelivered(store, [event]);
        continue;
      }
      await client.workflow.signalWithStart('session', {
        ...(await this.#start(session)),
        signal: 'send',
        signalArgs: [signal],
      });
      await markDelivered(store, [event]);
    }
  }

  async #start(session: string): Promise<{
    taskQueue: string;
    workflowId: string;
    args: [MachineStart<SessionInput>];
    searchAttributes?: Record<string, string[]>;
  }> {
    const { store, attributes, heartbeatTimeoutMs: heartbeatTimeout } = this.#options;
    const record = stored(await store.sessions.get(session), 'session', session);
    // A record with an epoch had a workflow before this one.
    const input = { session, epoch: record.epoch + 1, ...(record.epoch > 0 ? { resume: true } : {}) };
    return {
      taskQueue: this.#options.taskQueue,
      workflowId: workflowIdOf(session),
      args: [
        {
          input,
          heartbeatTimeout,
          ...(attributes === undefined ? {} : { stateAttribute: attributes.state }),
        },
      ],
      ...(attributes === undefined ? {} : { searchAttributes: { [attributes.session]: [session] } }),
    };
  }

  #handle(session: string): WorkflowHandle {
    return this.#options.client.workflow.getHandle(workflowIdOf(session));
  }
}

const workflowIdOf = (session: string): string => `session/${session}`;

/** The state machine's event for a user event: its number in the log and what decides; undefined for one that decides nothing. */
function machineEvent({ type, seq, body }: UserLogEvent): SessionEvent | undefined {
  switch (type) {
    case 'user.message':
    case 'user.interrupt':
      return { type, seq };
    case 'user.tool_confirmation':
      return { type, seq, call: body.tool_use_id };
    case 'user.custom_tool_result':
      return { type, seq, call: body.custom_tool_use_id };
    case 'user.grant_withdrawn':
    case 'system.message':
      return undefined;
  }
}
