import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowHandle,
  WorkflowNotFoundError,
} from '@temporalio/client';
import { type Takeover, type TakeoverStart, traced, type Tracing } from '@steadyhand/contracts';
import type { Sandboxes } from '@steadyhand/sandbox/client';
import type { SessionRuntime } from '@steadyhand/server';
import { claimUndelivered, markDelivered, type UserLogEvent } from '@steadyhand/sessions';
import type { MachineSnapshotView, MachineStart, MachineState } from '@steadyhand/statechart/workflow';
import { type Store, stored } from '@steadyhand/store';
import type { SessionContext, SessionEvent, SessionInput } from '@steadyhand/workflows';
import { withApiErrors } from './sandbox-service.ts';
import { activeSessions, reminders, reportFailedWorkflow, workflowStatus } from './lost-sessions.ts';
import { Rounds } from './rounds.ts';
import { SessionDeletions } from './session-deletions.ts';
import { SessionTakeovers } from './session-takeovers.ts';

/** How often the outbox is looked into for what nobody has delivered. */
const LOOK_MS = 2000;
/** How long a request waits for the delivery of its events. */
const DELIVER_WAIT_MS = 2000;
/** What a process that dies was about to deliver is another one's after this time. */
const CLAIM_MS = 5000;
/** How long after the end of a claim the end of its delivery is waited for. */
const CLOSE_MS = 1000;
/** Sessions whose events are delivered side by side. */
const SESSIONS_AT_ONCE = 32;
/** How often sessions are looked for whose workflow is gone, after the look at the start. */
const REVIVAL_MS = 10 * 60 * 1000;
/**
 * A session's run continues as new after so many history events, some 48 steps. A worker that takes a session over replays its run
 * first, all within one workflow task: 1,000 events take half a second of a processor, the 4,000 that Temporal would let it have two. It goes
 * with the workflow's start, so that the histories of runs that began without it replay as they are.
 */
const RUN_EVENTS = 1000;

interface WorkflowRuntimeOptions {
  readonly client: Client;
  readonly store: Store;
  readonly sandboxes: Pick<Sandboxes, 'delete' | 'reach'>;
  readonly log: Logger;
  /** Tells of signals to workflows. */
  readonly tracing?: Tracing | undefined;
  /** The names of the search attributes; undefined when the Temporal service has none. */
  readonly attributes: { readonly state: string; readonly session: string } | undefined;
  /** Where the workflows run. */
  readonly taskQueue: string;
  /** After this time without a heartbeat a step is lost with its worker. A workflow keeps what it began with. */
  readonly heartbeatTimeoutMs: number;
  /** After this time a workflow's task is lost with its worker. A workflow keeps what it began with, also when it continues as new. */
  readonly workflowTaskTimeoutMs: number;
}

/** Delivers the events of the sessions' logs to their workflows. A session's workflow is started with its first event. */
export class WorkflowRuntime implements SessionRuntime {
  readonly #options: WorkflowRuntimeOptions;
  readonly #takeovers: SessionTakeovers;
  readonly #deletions: SessionDeletions;
  /** The delivery under way for each session, because events reach a workflow one after the other, in the log's order. */
  readonly #deliveries = new Map<string, Promise<void>>();
  readonly #rounds: readonly Rounds[];
  #hasLooked = false;
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
    const rounds = (everyMs: number, work: () => Promise<void>, what: string): Rounds =>
      new Rounds({ everyMs, work, failed: (error) => options.log.error({ err: error }, what) });
    this.#rounds = [
      rounds(LOOK_MS, () => this.deliverAll(), 'the outbox cannot be read'),
      rounds(LOOK_MS, () => this.#deletions.finishAll(), 'the deleted sessions cannot be read'),
      rounds(REVIVAL_MS, () => this.#look(), 'sessions without a workflow not looked for'),
    ];
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
   * Delivers the user events in the session's outbox to its workflow, unless another server is at it. While Temporal cannot be
   * reached, this is tried again every few seconds, by whichever server comes first. It resolves when they are delivered, and
   * after two seconds in any case: who sent them need not wait for Temporal, as they are in the store.
   */
  async deliver(session: string): Promise<void> {
    const delivered = new AbortController();
    const late = pause(DELIVER_WAIT_MS, undefined, { signal: delivered.signal, ref: false });
    await Promise.race([this.#deliverOne(session), late.catch(() => undefined)]);
    delivered.abort();
  }

  async #deliverOne(session: string): Promise<void> {
    const { store, log } = this.#options;
    try {
      await this.#inTurn(session, async () => {
        for (;;) {
          const claimed = await claimUndelivered(store, { session, limit: 1, leaseMs: CLAIM_MS });
          if (claimed.length === 0) return;
          await this.#deliver(session, claimed);
        }
      });
    } catch (error) {
      log.warn({ err: error, session }, 'events not delivered yet');
      await store.events.releaseClaims([session]).catch(() => undefined);
    }
  }

  /**
   * Delivers what this server or another one accepted and nobody delivers. A session for which that fails is tried again when its claim has
   * ended, and holds up no other one.
   */
  async deliverAll(): Promise<void> {
    const { store, log } = this.#options;
    for (;;) {
      const claimed = await claimUndelivered(store, { limit: SESSIONS_AT_ONCE, leaseMs: CLAIM_MS });
      const sessions = [...new Set(claimed.map(({ session }) => session))];
      let failures = 0;
      await Promise.all(
        sessions.map(async (session) => {
          const events = claimed.filter((event) => event.session === session);
          try {
            await this.#inTurn(session, () => this.#deliver(session, events));
          } catch (error) {
            failures += 1;
            log.warn({ err: error, session }, 'events not delivered yet');
          }
        }),
      );
      if (this.#closed || failures === sessions.length) return;
    }
  }

  /** From now on delivers what is in the outbox, finishes deletions, and looks for sessions without a workflow. */
  start(): void {
    for (const rounds of this.#rounds) rounds.start();
  }

  /**
   * Stops trying, and waits for what is being delivered; what is undelivered waits for another server, or for the next start. A call
   * that the client repeats would fail in nobody's hands once its connection is closed.
   */
  async close(): Promise<void> {
    this.#closed = true;
    for (const rounds of this.#rounds) rounds.close();
    const under = Promise.allSettled(this.#deliveries.values());
    await Promise.race([under, pause(CLAIM_MS + CLOSE_MS, undefined, { ref: false })]);
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

  /** Looks at its start for workflows that are gone or were set back, later one server at a time for those that are gone. */
  async #look(): Promise<void> {
    const isStart = !this.#hasLooked;
    this.#hasLooked = true;
    const now = Date.now();
    const name = `revival/${Math.floor(now / REVIVAL_MS)}`;
    if (isStart || (await this.#options.store.onceOnly.take(name, now + REVIVAL_MS))) {
      await this.#reviveAll({ setBack: isStart });
    }
  }

  /**
   * Checks every session that is not at rest. A session without a workflow gets another one, which goes on where the log ends.
   * With `setBack`, a workflow that was set back is told so. A session whose workflow failed reports that.
   */
  async #reviveAll(options: { readonly setBack: boolean }): Promise<void> {
    for await (const { id } of activeSessions(this.#options.store)) {
      if (this.#closed) return;
      await this.#inTurn(id, () => this.#revive(id, options)).catch((error: unknown) => {
        this.#options.log.error({ err: error, session: id }, 'not known whether the session has a workflow');
      });
    }
  }

  async #revive(session: string, { setBack }: { readonly setBack: boolean }): Promise<void> {
    const { client, store, log } = this.#options;
    const record = await store.sessions.get(session);
    if (record === undefined) return;
    const status = await workflowStatus(client, workflowIdOf(session));
    if (status === 'failed') return await reportFailedWorkflow(store, log, record);
    if (status === 'running' && !setBack) return;
    for (const event of await reminders(store, record, machineEvent)) {
      await this.#signal(session, event);
    }
    if (status === 'gone') log.warn({ session }, 'the workflow of a session was gone: another one goes on');
  }

  async #deliver(session: string, claimed: readonly UserLogEvent[]): Promise<void> {
    const { store, tracing } = this.#options;
    for (const event of claimed) {
      const signal = machineEvent(event);
      if (signal !== undefined) {
        await traced(
          tracing,
          `signal ${event.type}`,
          () => ({
            kind: 'producer',
            // By whatever process and however late it is delivered, it belongs to the request by which it came.
            parent: event.internal.trace,
            attributes: { 'gen_ai.conversation.id': session, 'steadyhand.event_id': event.id },
          }),
          () => this.#signal(session, signal),
        );
      }
      await markDelivered(store, [event]);
    }
  }

  /** Sends an event to the session's workflow, which it starts where there is none. After the time of a claim it is given up. */
  async #signal(session: string, event: SessionEvent): Promise<void> {
    const { client } = this.#options;
    const start = await this.#start(session);
    await client.withDeadline(Date.now() + CLAIM_MS, () =>
      client.workflow.signalWithStart('session', { ...start, signal: 'send', signalArgs: [event] }),
    );
  }

  async #start(session: string): Promise<{
    taskQueue: string;
    workflowId: string;
    workflowTaskTimeout: number;
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
      workflowTaskTimeout: this.#options.workflowTaskTimeoutMs,
      args: [
        {
          input,
          heartbeatTimeout,
          continueAfter: RUN_EVENTS,
          triesLocally: true,
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
