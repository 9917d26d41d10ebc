import type { WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';
import type { ActorRefFrom, AnyEventObject, AnyStateMachine, EventFrom, OutputFrom } from 'xstate';
import { decodeData, encodeData } from '../core/data.ts';
import type { EventTypeOf, StatePath, TagOf } from '../core/machine-types.ts';
import {
  fulfils,
  MESSAGES,
  type ChangesView,
  type MachineSnapshotView,
  type MachineState,
  type WaitCondition,
  type WaitOutcome,
} from '../core/messages.ts';
import {
  actorSnapshot,
  actorState,
  type ActorChange,
  type ActorSnapshot,
  type ActorState,
} from './actor-view.ts';
import { Deadline, type CallOptions, type RequestContext } from './deadline.ts';
import {
  ActorEndedError,
  ActorHeldError,
  ActorNotFoundError,
  ActorStuckError,
  ActorTimeoutError,
  type ActorError,
} from './errors.ts';
import { hasNoRoom, isNotFound, isTaskFailing, isUnanswered, resultError, updateError } from './failures.ts';
import { Pace, type PollOptions } from './pace.ts';
import type { References } from './references.ts';
import { stuckError } from './stuck-error.ts';
import { subscription, type SubscribeOptions } from './subscription.ts';
import type { UpdateSlots } from './update-slots.ts';

/** What to wait for: a state or one below it, a tag, or the machine's end. A text is a state. */
export type Awaited<TMachine extends AnyStateMachine> =
  | StatePath<TMachine>
  | { readonly state: StatePath<TMachine> }
  | { readonly tag: TagOf<TMachine> }
  | { readonly status: 'done' };

/** Tells from a snapshot whether the waiting is over. */
export type SnapshotPredicate<TMachine extends AnyStateMachine> = (
  snapshot: ActorSnapshot<TMachine>,
) => boolean;

export interface WaitOptions extends CallOptions {
  /** How often the snapshot is asked for, where no update can wait. */
  readonly poll?: PollOptions;
}

/** What all handles of a client share. */
export interface HandleContext extends RequestContext {
  readonly references: References;
  readonly slots: UpdateSlots;
}

/** An update that is not accepted by then finds no room on the server, or no worker. */
const ACCEPTED_WITHIN = 2000;
/** A worker may lose a query without a word. It is sent again after that many milliseconds, and then after twice as many. */
const ANSWERED_WITHIN = 10_000;
/** A run that continues as new has its next one in no time. */
const MOVING = 50;

/** One durable actor, for a client. It finds the newest run of its workflow. */
export class ActorHandle<TMachine extends AnyStateMachine> {
  readonly workflowId: string;
  /** Temporal's own handle, for all that is not said here. */
  readonly workflow: WorkflowHandle;
  readonly #context: HandleContext;

  constructor(workflow: WorkflowHandle, context: HandleContext) {
    this.workflow = workflow;
    this.workflowId = workflow.workflowId;
    this.#context = context;
  }

  /** A reference for events and input. What is sent to it goes to the actor as a signal. */
  get ref(): ActorRefFrom<TMachine> {
    const { workflowId } = this;
    return this.#context.references.to({ workflowId, path: [] }) as unknown as ActorRefFrom<TMachine>;
  }

  /**
   * Sends an event and waits for nothing but its arrival. What the machine does not take is dropped, as XState does.
   *
   * @throws ActorNotFoundError, ActorEndedError, ActorFailedError, DataError.
   */
  async send(event: EventFrom<TMachine>): Promise<void> {
    await this.#reach(async () => await this.workflow.signal(MESSAGES.send, this.#encoded(event)));
  }

  /**
   * Sends an event and answers the state that it led to, after all that follows from it at once.
   *
   * @throws EventNotAcceptedError, EventInvalidError, ActorHeldError, ActorFailedError, ActorEndedError, ActorNotFoundError,
   * ActorBusyError, ActorTimeoutError.
   */
  async sendAndWait(event: EventFrom<TMachine>, options: CallOptions = {}): Promise<ActorState<TMachine>> {
    const { slots } = this.#context;
    const { type } = event as AnyEventObject;
    const deadline = new Deadline(options);
    const args = [this.#encoded(event)] as const;
    // Under one id the server takes a repeated request for the same update.
    const updateId = crypto.randomUUID();
    const update = async (): Promise<MachineState> =>
      await this.workflow.executeUpdate<MachineState, [unknown]>(MESSAGES.send, {
        args: [...args],
        updateId,
      });
    return await this.#inTime(deadline, `an answer to '${type}'`, async () => {
      const state = await this.#reach(
        async () => await slots.send(this.workflowId, async () => await deadline.run(this.#context, update)),
        type,
      );
      return actorState<TMachine>(state);
    });
  }

  /**
   * Waits until the actor is in a state, has a tag or is done. It waits in the workflow, through continue-as-new; where the
   * server has no room for that, it asks again and again.
   *
   * A predicate is asked about one snapshot after the other and does not see what passes between two of them.
   *
   * @throws ActorTimeoutError, ActorHeldError, ActorFailedError, ActorEndedError, ActorNotFoundError.
   */
  async waitFor(wanted: Awaited<TMachine>, options?: WaitOptions): Promise<ActorState<TMachine>>;
  async waitFor(
    predicate: SnapshotPredicate<TMachine>,
    options?: WaitOptions,
  ): Promise<ActorSnapshot<TMachine>>;
  async waitFor(
    wanted: Awaited<TMachine> | SnapshotPredicate<TMachine>,
    options: WaitOptions = {},
  ): Promise<ActorState<TMachine>> {
    const deadline = new Deadline(options);
    const isPredicate = typeof wanted === 'function';
    const condition = isPredicate ? undefined : conditionOf(wanted as Awaited<AnyStateMachine>);
    const awaited = condition === undefined ? 'a snapshot' : JSON.stringify(condition);
    return await this.#inTime(deadline, awaited, async () => {
      if (condition === undefined) {
        return await this.#poll(wanted as SnapshotPredicate<TMachine>, deadline, options.poll);
      }
      const outcome = await this.#waitByUpdate(condition, deadline);
      if (outcome !== undefined) return actorState<TMachine>(outcome);
      return await this.#poll((snapshot) => fulfils(snapshot, condition), deadline, options.poll);
    });
  }

  /**
   * The states that the actor enters and the events that it emits, one after the other, over all its runs. It asks for them by a
   * query and leaves no trace in the history. It ends when the actor is done.
   *
   * @throws ActorFailedError, ActorEndedError once nothing follows; ActorNotFoundError.
   */
  subscribe(options: SubscribeOptions = {}): AsyncGenerator<ActorChange<TMachine>, void, undefined> {
    const { references } = this.#context;
    return subscription<TMachine>(options, references.codec, {
      changes: async (cursor, deadline) => await this.#query<ChangesView>(deadline, MESSAGES.changes, cursor),
      closed: async () => await this.#closed(),
      result: async (deadline) => void (await this.#result(deadline)),
    });
  }

  /**
   * What the actor is and does now.
   *
   * @throws ActorHeldError, ActorNotFoundError.
   */
  async snapshot(options: CallOptions = {}): Promise<ActorSnapshot<TMachine>> {
    const deadline = new Deadline(options);
    return await this.#inTime(deadline, 'a snapshot', async () => await this.#snapshot(deadline));
  }

  /**
   * The types of the events that have a transition now; guards are not evaluated.
   *
   * @throws ActorHeldError, ActorNotFoundError.
   */
  async legalEvents(options: CallOptions = {}): Promise<readonly EventTypeOf<TMachine>[]> {
    return (await this.snapshot(options)).events;
  }

  /**
   * Waits for the end and answers the machine's output.
   *
   * @throws ActorFailedError, ActorEndedError, ActorNotFoundError, ActorTimeoutError.
   */
  async result(options: CallOptions = {}): Promise<OutputFrom<TMachine>> {
    const deadline = new Deadline(options);
    return await this.#inTime(deadline, 'its end', async () => await this.#result(deadline));
  }

  /**
   * Asks the actor to end: it gets the event `workflow.cancel` where its machine takes that, else it ends as cancelled.
   *
   * @throws ActorNotFoundError, ActorEndedError, ActorFailedError.
   */
  async cancel(): Promise<void> {
    await this.#reach(async () => void (await this.workflow.cancel()));
  }

  /**
   * Temporal's description of the workflow: status, times, search attributes.
   *
   * @throws ActorNotFoundError.
   */
  async describe(): Promise<WorkflowExecutionDescription> {
    return await this.#reach(async () => await this.workflow.describe());
  }

  #encoded(event: EventFrom<TMachine>): unknown {
    return encodeData(event, 'event', this.#context.references.codec);
  }

  /** Waits in the workflow; undefined when the server has no room for that. */
  async #waitByUpdate(wanted: WaitCondition, deadline: Deadline): Promise<MachineState | undefined> {
    const { slots } = this.#context;
    for (;;) {
      const waiting = slots.wait(this.workflowId, async () => await this.#askToWait(wanted, deadline));
      const outcome = waiting === undefined ? undefined : await this.#reach(async () => await waiting);
      if (outcome === undefined || fulfils(outcome, wanted)) return outcome;
      if (outcome.timedOut === true) throw this.#timeout(deadline, JSON.stringify(wanted));
      if (!outcome.moved) throw await this.#end(deadline);
      await deadline.pause(MOVING);
    }
  }

  async #askToWait(wanted: WaitCondition, deadline: Deadline): Promise<WaitOutcome | undefined> {
    const { remaining } = deadline;
    const args: [WaitCondition] = [remaining === undefined ? wanted : { ...wanted, timeout: remaining }];
    const acceptance = new AbortController();
    const timer = setTimeout(() => acceptance.abort(), ACCEPTED_WITHIN);
    try {
      const start = async () =>
        await this.workflow.startUpdate<WaitOutcome, [WaitCondition]>(MESSAGES.waitFor, {
          args,
          waitForStage: 'ACCEPTED',
        });
      const update = await deadline.run(this.#context, start, acceptance.signal);
      clearTimeout(timer);
      return await deadline.run(this.#context, async () => await update.result());
    } catch (error) {
      if (isUnanswered(error)) return { value: {}, state: '', status: 'active', tags: [], moved: true };
      if (hasNoRoom(error) || (acceptance.signal.aborted && !deadline.isOver)) return undefined;
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  async #poll(
    holds: (snapshot: ActorSnapshot<TMachine>) => boolean,
    deadline: Deadline,
    options?: PollOptions,
  ): Promise<ActorSnapshot<TMachine>> {
    const pace = new Pace(options);
    let before = '';
    for (;;) {
      const snapshot = await this.#snapshot(deadline);
      if (holds(snapshot)) return snapshot;
      if (snapshot.status !== 'active') throw await this.#end(deadline);
      const hasNews = snapshot.state !== before;
      before = snapshot.state;
      await deadline.pause(pace.next(hasNews));
      if (deadline.isOver) throw this.#timeout(deadline, 'a snapshot');
      // A workflow that was cancelled or terminated answers as before.
      if (!hasNews) {
        const closed = await this.#closed();
        if (closed !== undefined) throw closed;
      }
    }
  }

  async #snapshot(deadline: Deadline): Promise<ActorSnapshot<TMachine>> {
    const view = await this.#query<MachineSnapshotView>(deadline, MESSAGES.snapshot);
    if (view.held !== undefined) throw new ActorHeldError(this.workflowId, view.held.reason, view.held);
    return actorSnapshot<TMachine>(view, this.#context.references.codec);
  }

  async #query<T>(deadline: Deadline, name: string, ...args: unknown[]): Promise<T> {
    const query = async (): Promise<T> => await this.workflow.query<T, unknown[]>(name, ...args);
    for (let patience = ANSWERED_WITHIN; ; patience *= 2) {
      const lost = AbortSignal.timeout(patience);
      try {
        return await this.#reach(async () => await deadline.run(this.#context, query, lost));
      } catch (error) {
        if (!lost.aborted || deadline.isOver || error instanceof ActorStuckError) throw error;
      }
    }
  }

  async #result(deadline: Deadline): Promise<OutputFrom<TMachine>> {
    const { references } = this.#context;
    try {
      const result = await deadline.run(this.#context, async () => (await this.workflow.result()) as unknown);
      return decodeData(result, references.codec) as OutputFrom<TMachine>;
    } catch (error) {
      if (isNotFound(error)) throw new ActorNotFoundError(this.workflowId);
      const failed = resultError(this.workflowId, error, references.codec);
      if (failed !== undefined) throw failed;
      if (deadline.isOver) throw error;
      throw (await this.#closed()) ?? error;
    }
  }

  /** Why nothing more comes of an actor whose machine has ended. */
  async #end(deadline: Deadline): Promise<ActorError> {
    try {
      await this.#result(deadline);
      return new ActorEndedError(this.workflowId, 'COMPLETED');
    } catch (error) {
      return error as ActorError;
    }
  }

  /** Why the workflow is closed; undefined while it is open. */
  async #closed(): Promise<ActorError | undefined> {
    const { references } = this.#context;
    try {
      const { name } = (await this.workflow.describe()).status;
      if (name === 'RUNNING' || name === 'CONTINUED_AS_NEW' || name === 'PAUSED') return undefined;
      if (name !== 'FAILED') return new ActorEndedError(this.workflowId, name);
    } catch (error) {
      if (isNotFound(error)) return new ActorNotFoundError(this.workflowId);
      throw error;
    }
    try {
      await this.workflow.result();
    } catch (error) {
      const failed = resultError(this.workflowId, error, references.codec);
      if (failed !== undefined) return failed;
    }
    return new ActorEndedError(this.workflowId, 'FAILED');
  }

  /** Does what needs the workflow, once more where a run has just made way for the next, and says what is wrong with it. */
  async #reach<T>(request: () => Promise<T>, eventType = ''): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await request();
      } catch (error) {
        if (isNotFound(error) || isUnanswered(error)) {
          const closed = await this.#closed();
          if (closed !== undefined) throw closed;
          // An accepted event may have been taken: it is not sent twice.
          if (isUnanswered(error) || attempt > 10) throw error;
          await new Deadline({}).pause(MOVING);
          continue;
        }
        if (isTaskFailing(error)) throw await stuckError(this.#context.client, this.workflowId, error);
        throw await this.#withHeld(
          updateError(this.workflowId, eventType, error, this.#context.references.codec) ?? error,
        );
      }
    }
  }

  async #withHeld(error: unknown): Promise<unknown> {
    if (!(error instanceof ActorHeldError) || error.held !== null) return error;
    const view = await this.workflow.query<MachineSnapshotView>(MESSAGES.snapshot);
    return view.held === undefined ? error : new ActorHeldError(this.workflowId, view.held.reason, view.held);
  }

  /** Says that the time is over where a request failed because of that. */
  async #inTime<T>(deadline: Deadline, awaited: string, work: () => Promise<T>): Promise<T> {
    try {
      deadline.throwIfAborted();
      return await work();
    } catch (error) {
      deadline.throwIfAborted();
      if (deadline.isOver && isAbort(error)) throw this.#timeout(deadline, awaited);
      throw error;
    }
  }

  #timeout({ timeout = 0 }: Deadline, awaited: string): ActorTimeoutError {
    return new ActorTimeoutError(this.workflowId, timeout, awaited);
  }
}

function conditionOf(wanted: Awaited<AnyStateMachine>): WaitCondition {
  return typeof wanted === 'string' ? { state: wanted } : wanted;
}

/** Whether a request ended because it was aborted, and for no reason of the actor's. */
const isAbort = (error: unknown): boolean =>
  !(error instanceof Error && /^(?:Actor|Event)\w+Error$/.test(error.name));
