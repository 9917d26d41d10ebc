import type { Logger } from 'pino';
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Sandboxes } from '../sandbox/client/sandboxes.ts';
import type { Takeover, TakeoverStart } from '../sandbox/protocol.ts';
import { markDelivered, undelivered, type UserLogEvent } from '../sessions/index.ts';
import { NotStored, type Store } from '../store/index.ts';
import type { SessionEvent } from '../workflows/session/events.ts';
import type { SessionContext, SessionInput } from '../workflows/session/context.ts';
import type { SessionRuntime } from '../server/services.ts';
import type { MachineStart } from '../workflows/statechart/machine-workflow.ts';
import type { MachineSnapshotView, MachineState } from '../workflows/statechart/messages.ts';
import { asked } from './sandbox-service.ts';
import { reminders, tellBroken, unrestedSessions, workflowStatus } from './lost-sessions.ts';
import { SessionDeletions } from './session-deletions.ts';
import { SessionTakeovers } from './session-takeovers.ts';
import { TASK_QUEUE } from './worker.ts';

const RETRY_MS = 2000;

export interface WorkflowRuntimeOptions {
  readonly client: Client;
  readonly store: Store;
  readonly sandboxes: Pick<Sandboxes, 'delete' | 'reach'>;
  readonly log: Logger;
  /** Search attributes that the service knows; undefined when it knows none. */
  readonly attributes: { readonly state: string; readonly session: string } | undefined;
}

/** Stands between the sessions' log and their workflows. A session's workflow is started with its first event. */
export class WorkflowRuntime implements SessionRuntime {
  readonly #options: WorkflowRuntimeOptions;
  readonly #takeovers: SessionTakeovers;
  readonly #deletions: SessionDeletions;
  /** The delivery under way for each session: events reach a workflow one after the other, in the log's order. */
  readonly #deliveries = new Map<string, Promise<void>>();
  #again: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WorkflowRuntimeOptions) {
    this.#options = options;
    const { store, sandboxes } = options;
    this.#deletions = new SessionDeletions({
      ...options,
      endWorkflow: async (session) => {
        // A delivery that is under way may be about to start it.
        await this.#deliveries.get(session)?.catch(() => undefined);
        await this.#handle(session).terminate('session deleted');
      },
    });
    this.#takeovers = new SessionTakeovers({
      store,
      sandboxes,
      send: (session, event) => this.send(session, event),
      asked: async (session) => {
        const { context } = await this.#handle(session).query<MachineSnapshotView>('snapshot');
        return (context as SessionContext).takeover?.takeover ?? null;
      },
    });
  }

  /**
   * Tells the session's workflow of the user events it has not heard of. They stand in the outbox, so a Temporal service
   * that cannot be reached only delays them: they are offered again until it takes them.
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

  /** Delivers whatever an earlier process accepted and could not hand on. */
  async deliverAll(): Promise<void> {
    const events = await undelivered(this.#options.store);
    const sessions = new Set(events.map((event) => event.session));
    await Promise.all([...sessions].map((session) => this.deliver(session)));
  }

  /**
   * Looks after every session that is not at rest: one whose workflow is gone gets another one, which goes on where the log
   * ends; one whose workflow was set back is told so; one whose workflow failed says so.
   */
  async reviveAll(): Promise<void> {
    for await (const { id } of unrestedSessions(this.#options.store)) {
      if (this.#closed) return;
      await this.#inTurn(id, () => this.#revive(id)).catch((error: unknown) => {
        this.#options.log.error({ err: error, session: id }, 'not known whether the session has a workflow');
      });
    }
  }

  /** Stops offering; what is undelivered waits for the next start. */
  close(): void {
    clearTimeout(this.#again);
    this.#deletions.close();
    this.#closed = true;
  }

  /** The machine's state, `tool_use.running`; null when the session has no workflow. */
  async state(session: string): Promise<string | null> {
    try {
      const { state } = await this.#handle(session).query<MachineSnapshotView>('snapshot');
      return state;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    }
  }

  /** Asks the machine to take an event now; rejects with a WorkflowUpdateFailedError when it is not legal. */
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
    return asked(() => this.#takeovers.takeOver(session, terms, options));
  }

  handBack(session: string, takeover: string): Promise<Takeover | null> {
    return asked(() => this.#takeovers.handBack(session, takeover));
  }

  async end(session: string): Promise<void> {
    await this.#deletions.finish(session);
  }

  #retry(): void {
    if (this.#again !== undefined || this.#closed) return;
    this.#again = setTimeout(() => {
      this.#again = undefined;
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
    if (status === 'failed') return await tellBroken(store, log, record);
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
      const told = machineEvent(event);
      if (told === undefined) {
        await markDelivered(store, [event]);
        continue;
      }
      await client.workflow.signalWithStart('session', {
        ...(await this.#start(session)),
        signal: 'send',
        signalArgs: [told],
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
    const { store, attributes } = this.#options;
    const record = await store.sessions.get(session);
    if (!record) throw new NotStored('session', session);
    // Who has appended under an epoch was a workflow before this one.
    const input = { session, epoch: record.epoch + 1, ...(record.epoch > 0 ? { resume: true } : {}) };
    return {
      taskQueue: TASK_QUEUE,
      workflowId: workflowIdOf(session),
      args: [{ input, ...(attributes === undefined ? {} : { stateAttribute: attributes.state }) }],
      ...(attributes === undefined ? {} : { searchAttributes: { [attributes.session]: [session] } }),
    };
  }

  #handle(session: string): WorkflowHandle {
    return this.#options.client.workflow.getHandle(workflowIdOf(session));
  }
}

/** The id of a session's workflow. */
export const workflowIdOf = (session: string): string => `session/${session}`;

/** What the machine is told of a user event: its place in the log, and what decides. Undefined for one that decides nothing. */
function machineEvent({ type, seq, body }: UserLogEvent): SessionEvent | undefined {
  switch (type) {
    case 'user.message':
    case 'user.interrupt':
      return { type, seq };
    case 'user.tool_confirmation':
      return { type, seq, call: body.tool_use_id };
    case 'user.custom_tool_result':
      return { type, seq, call: body.custom_tool_use_id };
    case 'system.message':
      return undefined;
  }
}
