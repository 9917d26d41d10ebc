import {
  allHandlersFinished,
  ApplicationFailure,
  CancelledFailure,
  condition,
  log,
  setCurrentDetails,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import type { AnyEventObject, AnyStateMachine } from 'xstate';
import type { ActorSpec } from './actor-spec.ts';

import type { Effect, SendTarget } from './effect.ts';
import { Interpreter, MachineError } from './interpreter.ts';
import type { MachineSnapshotView, MachineState } from './messages.ts';
import { PendingDelays, type CarriedDelay } from './pending-delays.ts';
import { RunningActors, signal, type CarriedActor } from './running-actors.ts';
import { statePath } from './state-path.ts';

/** When a run continues as new. */
export interface ContinueAsNewPolicy {
  /** The number of history events. Default: when the server suggests it. */
  readonly after?: number;
  /**
   * The number of history events after which the run no longer waits for a moment without running actors. Activities in flight
   * are then started again in the next run under the same number, so they must be keyed by it. Default 10,240.
   */
  readonly atMost?: number;
}

/**
 * What a run hands to the next one on continue-as-new. XState's own persisted snapshot loses the delays and runs its actors
 * again; here both are carried, so nothing is lost and nothing is run twice.
 */
export interface Carried {
  readonly snapshot: unknown;
  readonly delays: readonly CarriedDelay[];
  readonly actors: readonly CarriedActor[];
  /** The number of invocations so far. */
  readonly steps: number;
  /** The state path that was last written to the search attribute. */
  readonly published?: string;
}

/** What ended a run: the machine's output, or the state to continue with. */
type RunEnd =
  | { readonly type: 'done'; readonly output: unknown }
  | { readonly type: 'continue'; readonly carried: Carried };

interface Mail {
  readonly event: AnyEventObject;
  readonly settled?: (outcome: MachineState | Error) => void;
}

const DEFAULT_AT_MOST = 10_240;

/** One run of a machine: it takes events one by one and turns the effects of each macrostep into commands. */
export class MachineRun {
  readonly interpreter: Interpreter;
  readonly #policy: ContinueAsNewPolicy;
  readonly #attribute: string | undefined;
  readonly #actors: RunningActors;
  readonly #delays: PendingDelays;
  readonly #mailbox: Mail[] = [];
  readonly #starts = new Map<string, CarriedActor>();
  #sends: { to: SendTarget; event: AnyEventObject }[] = [];
  readonly #outgoing = new Map<string, Promise<void>>();
  #published: string | undefined;
  #cancelled = false;

  constructor(options: {
    machine: AnyStateMachine;
    specs: Readonly<Record<string, ActorSpec>>;
    policy: ContinueAsNewPolicy;
    input: unknown;
    stateAttribute: string | undefined;
    carried: Carried | undefined;
  }) {
    const { machine, specs, carried } = options;
    this.#policy = options.policy;
    this.#attribute = options.stateAttribute;
    this.#published = carried?.published;
    this.#actors = new RunningActors(specs, carried?.steps ?? 0, (event) => this.post(event));
    this.#delays = new PendingDelays((delay) => this.#send(delay.to, delay.event));
    if (carried) {
      this.interpreter = Interpreter.restore(machine, carried.snapshot);
      for (const actor of carried.actors) this.#starts.set(actor.id, actor);
      for (const delay of carried.delays) this.#delays.resume(delay);
    } else {
      const [interpreter, effects] = failingWorkflow(() => Interpreter.start(machine, options.input));
      this.interpreter = interpreter;
      this.#perform(effects);
    }
  }

  /** Queues an event. */
  post(event: AnyEventObject): void {
    this.#mailbox.push({ event });
  }

  /** Queues an event and answers with the state it led to; rejects when the machine would not take it any more. */
  async ask(event: AnyEventObject): Promise<MachineState> {
    return await new Promise((resolve, reject) => {
      const settled = (outcome: MachineState | Error): void =>
        outcome instanceof Error ? reject(outcome) : resolve(outcome);
      this.#mailbox.push({ event, settled });
    });
  }

  /** Sends `workflow.cancel` to the machine where it has a transition for that; else ends the run as cancelled. */
  cancel(): void {
    const event = { type: 'workflow.cancel' };
    if (this.interpreter.snapshot.can(event)) this.post(event);
    else this.#cancelled = true;
  }

  state(): MachineState {
    const { value, status } = this.interpreter.snapshot;
    return {
      value: value as MachineState['value'],
      state: statePath(value as MachineState['value']),
      status,
    };
  }

  view(): MachineSnapshotView {
    const { context, tags, output } = this.interpreter.snapshot;
    const started = this.#actors.list().map(({ id, src, step }) => ({ id, src, step }));
    return {
      ...this.state(),
      context,
      tags: [...tags],
      ...(output === undefined ? {} : { output }),
      actors: started,
      delays: this.#delays.list().map(({ id, at }) => ({ id, at })),
    };
  }

  /** Takes events until the machine is done or the run has to continue as new. */
  async run(): Promise<RunEnd> {
    for (;;) {
      this.#drain();
      if (this.#cancelled) {
        this.#stop();
        throw new CancelledFailure('Workflow cancelled');
      }
      const ended = this.interpreter.snapshot.status !== 'active';
      if (ended || this.#isTimeToContinue()) {
        this.#flush();
        this.#publish();
        await Promise.all([condition(allHandlersFinished), ...this.#outgoing.values()]);
        if (ended) {
          this.#stop();
          return { type: 'done', output: this.interpreter.snapshot.output };
        }
        if (this.#mailbox.length === 0) return { type: 'continue', carried: this.#carry() };
        continue;
      }
      this.#settle();
      await condition(() => this.#mailbox.length > 0 || this.#cancelled);
    }
  }

  #drain(): void {
    for (let mail = this.#mailbox.shift(); mail; mail = this.#mailbox.shift()) {
      const { event, settled } = mail;
      if (settled && !this.interpreter.snapshot.can(event)) {
        settled(eventNotAccepted(event, this.state().state));
        continue;
      }
      this.#perform(failingWorkflow(() => this.interpreter.step(event)));
      settled?.(this.state());
    }
  }

  #perform(effects: readonly Effect[]): void {
    for (const effect of effects) {
      switch (effect.type) {
        case 'start':
          this.#starts.set(effect.actor.id, effect.actor);
          break;
        case 'stop':
          if (!this.#starts.delete(effect.id)) this.#actors.stop(effect.id);
          break;
        case 'delay':
          this.#delays.schedule(effect.delay);
          break;
        case 'cancel':
          this.#delays.cancel(effect.id);
          break;
        case 'send':
          this.#sends.push(effect);
          break;
        case 'run':
          failingWorkflow(() => this.interpreter.perform(effect.run));
          break;
      }
    }
  }

  /** Turns what was decided into commands, once the mailbox is empty. */
  #settle(): void {
    for (const actor of this.#starts.values()) this.#actors.start(actor);
    this.#starts.clear();
    this.#flush();
    this.#publish();
  }

  #flush(): void {
    const sends = this.#sends;
    this.#sends = [];
    for (const { to, event } of sends) this.#send(to, event);
  }

  #send(to: SendTarget, event: AnyEventObject): void {
    if (to.kind === 'self') {
      this.post(event);
      return;
    }
    // Each target gets one event after the other, because signals of one workflow task may arrive in any order.
    const target = to.kind === 'actor' ? to.id : `workflow ${to.workflowId}`;
    const before = this.#outgoing.get(target) ?? Promise.resolve();
    const sent = before
      .then(() => (to.kind === 'actor' ? this.#actors.send(to.id, event) : signal(to.workflowId, event)))
      .catch((error: unknown) => log.warn('event not delivered', { to, event: event.type, error }))
      .then(() => {
        if (this.#outgoing.get(target) === sent) this.#outgoing.delete(target);
      });
    this.#outgoing.set(target, sent);
  }

  #publish(): void {
    const { state } = this.state();
    if (state === this.#published) return;
    this.#published = state;
    setCurrentDetails(state);
    if (this.#attribute !== undefined) upsertSearchAttributes({ [this.#attribute]: [state] });
  }

  #isTimeToContinue(): boolean {
    const { continueAsNewSuggested, historyLength } = workflowInfo();
    const { after, atMost = DEFAULT_AT_MOST } = this.#policy;
    if (!(after === undefined ? continueAsNewSuggested : historyLength >= after)) return false;
    const running = this.#actors.list();
    // A child workflow answers only the run that started it.
    if (running.some((actor) => actor.kind === 'child-workflow')) return false;
    return running.length === 0 || historyLength >= atMost;
  }

  #carry(): Carried {
    const running = this.#actors.list().map(({ id, src, input, step }) => ({ id, src, input, step }));
    return {
      snapshot: this.interpreter.persist(),
      delays: this.#delays.list(),
      actors: [...running, ...this.#starts.values()],
      steps: this.#actors.steps,
      ...(this.#published === undefined ? {} : { published: this.#published }),
    };
  }

  #stop(): void {
    this.#starts.clear();
    this.#actors.stopAll();
    this.#delays.cancelAll();
  }
}

/** Turns a machine's failure into one that ends the workflow, because a failed workflow task would be tried for ever. */
function failingWorkflow<T>(perform: () => T): T {
  try {
    return perform();
  } catch (error) {
    if (!(error instanceof MachineError)) throw error;
    throw ApplicationFailure.create({
      message: error.message,
      type: 'MachineError',
      nonRetryable: true,
      ...(error.cause instanceof Error ? { cause: error.cause } : {}),
    });
  }
}

/** The refusal of an event that has no transition now. */
export function eventNotAccepted(event: AnyEventObject, state: string): ApplicationFailure {
  return ApplicationFailure.nonRetryable(
    `event '${event.type}' is not accepted in state '${state}'`,
    'EventNotAccepted',
  );
}
