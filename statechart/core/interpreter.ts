import {
  createActor,
  type Actor,
  type AnyActorRef,
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type InspectionEvent,
  type StateValue,
} from 'xstate';
import { isAddress, type Address } from './address.ts';
import { actorAt, isActorRef, pathTo } from './actor-tree.ts';
import type { CarriedActor, CarriedDelay, CarriedMachine } from './carried.ts';
import { decodeData, encodeData, type ReferenceCodec } from './data.ts';
import { Delays } from './delays.ts';
import { DurableActors } from './durable-actors.ts';
import { hostSystem, type ChildState } from './durable-logic.ts';
import type { ActorStart, Effect, EmittedEvent, OutgoingEvent } from './effect.ts';
import { MachineError } from './machine-error.ts';
import { persistActor, persistenceOf, reviveActor, watchRevived, type Persistence } from './persisted.ts';
import { remoteActor, remoteAddress } from './remote-actor.ts';
import { enterRouter, type Router } from './router.ts';
import { StepLimit } from './step-limit.ts';

export interface InterpreterOptions {
  /** A machine that {@link prepareMachine} has answered. */
  readonly machine: AnyStateMachine;
  /** The id of the workflow, which is the id of the machine's actor, too. */
  readonly workflowId: string;
  readonly input?: unknown;
  /** The actor of another workflow that this machine is a child of. */
  readonly parent?: Address;
  /** What the run before has carried over; the machine starts from its beginning without it. */
  readonly carried?: CarriedMachine;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called when something is to be performed that no call of a method has led to. */
  readonly wake?: (() => void) | undefined;
  /** Gets what `log()` actions write and what goes astray. */
  readonly log?: (...message: unknown[]) => void;
  /** The most microsteps that one event may lead to. Default 10,000. */
  readonly maxMicrosteps?: number;
  readonly inspect?: (event: InspectionEvent) => void;
}

/** A machine's snapshot with payloads of unknown type, because this package knows no machine's types. */
export type OpaqueSnapshot = AnyMachineSnapshot & {
  readonly value: StateValue;
  readonly context: unknown;
  readonly output: unknown;
  readonly tags: ReadonlySet<string>;
  readonly status: 'active' | 'done' | 'error' | 'stopped';
};

/**
 * Runs a machine as an XState actor whose effects on the world come out as data: durable actors to start and stop, delays, and
 * events for other workflows. It knows nothing of Temporal. What it is told, in the same order, leads to the same effects.
 */
export class Interpreter {
  readonly #options: InterpreterOptions;
  readonly #limit: StepLimit;
  readonly #delays: Delays;
  readonly #durable: DurableActors;
  readonly #actor: Actor<AnyStateMachine>;
  readonly #references: ReferenceCodec;
  /** References of the carried state that can be looked up once all actors exist. */
  #unresolved: { readonly address: Address; readonly assign: (reference: unknown) => void }[] | undefined;
  #outgoing: { readonly to: AnyActorRef | Address; readonly event: AnyEventObject }[] = [];
  #emitted: EmittedEvent[] = [];
  #emittedSeq: number;
  /** Children of an earlier run whose snapshots their parents are sent. */
  #watched: ReadonlySet<AnyActorRef> = new Set();
  #failure: MachineError | undefined;

  constructor(options: InterpreterOptions) {
    const {
      machine,
      workflowId,
      parent,
      carried,
      now,
      wake = () => undefined,
      log = () => undefined,
    } = options;
    this.#options = options;
    this.#emittedSeq = carried?.emitted ?? 0;
    this.#limit = new StepLimit(options.maxMicrosteps ?? 10_000);
    this.#delays = new Delays(now, wake);
    this.#durable = new DurableActors({
      carried: carried?.actors ?? [],
      steps: carried?.steps ?? 0,
      delays: this.#delays,
      wake,
      now,
      pathOf: (actor) => pathTo(this.#actor, actor) ?? [actor.id],
      forward: (to, event) => this.#send(to, event),
      tellParent: (path, event) => actorAt(this.#actor, path.slice(0, -1))?.send(event),
    });
    this.#references = {
      encode: (value) => this.#addressOf(value),
      decode: (address, assign) => this.#resolve(address, assign),
    };
    const system = {
      clock: this.#delays.clock,
      logger: log,
      inspect: (event: InspectionEvent) => {
        this.#limit.count(event);
        options.inspect?.(event);
      },
    };
    const above = parent === undefined ? undefined : remoteActor(parent, this.#router, system);
    enterRouter(this.#router);
    this.#unresolved = [];
    this.#actor = createActor(machine, {
      ...system,
      id: workflowId,
      ...(above === undefined ? {} : { parent: above }),
      ...(carried === undefined
        ? { input: decodeData(options.input, this.#references) as never }
        : { snapshot: reviveActor(carried.snapshot, this.#references) }),
    });
    this.#lookUpUnresolved();
    hostSystem(this.#actor.system, this.#durable);
    this.#delays.attach(this.#actor.system.scheduler);
    this.#actor.subscribe({
      next: () => wake(),
      error: (error: unknown) => this.#fail(error),
    });
    this.#actor.on('*', (event: AnyEventObject) => {
      this.#emitted.push({ seq: ++this.#emittedSeq, at: now(), event });
      wake();
    });
  }

  /** Enters the initial state, or goes on from the carried one. */
  start(): void {
    const { carried } = this.#options;
    this.#enter(() => this.#actor.start());
    if (carried === undefined) return;
    for (const delay of carried.delays) this.#resumeDelay(delay);
    this.#watched = new Set(watchRevived(this.#actor, carried.snapshot));
  }

  get machine(): AnyStateMachine {
    return this.#options.machine;
  }

  get snapshot(): OpaqueSnapshot {
    return this.#actor.getSnapshot() as OpaqueSnapshot;
  }

  /** Why the machine has failed; undefined while it has not. */
  get failure(): MachineError | undefined {
    return this.#failure;
  }

  /** The running durable actors, in the order they were started. */
  get running(): readonly ActorStart[] {
    return this.#durable.running;
  }

  /** Pending delayed events; `at` in milliseconds since 1970. */
  get pending(): readonly { readonly id: string | undefined; readonly at: number }[] {
    return this.#delays.list().map(({ id, at }) => ({ id, at }));
  }

  /** The id of a pending delay, or the type of its event; undefined for one that has neither, or is not pending. */
  delayName(key: number): string | undefined {
    const delay = this.#delays.list().find((pending) => pending.key === key);
    return delay?.id ?? delay?.event?.type;
  }

  /**
   * Sends an event to the machine, or to the actor at a path below it, and runs every macrostep that follows at once.
   *
   * @param event As a client wrote it: values that JSON has no form for are encoded.
   */
  send(event: AnyEventObject, path: readonly string[] = []): void {
    const decoded = decodeData(event, this.#references) as AnyEventObject;
    const target = actorAt(this.#actor, path);
    if (target === undefined) {
      this.#options.log?.(
        `the event '${event.type}' is for the actor '${path.join('/')}', which is not there`,
      );
      return;
    }
    this.#enter(() => target.send(decoded));
  }

  /** Whether the machine has a transition for the event now. */
  can(event: AnyEventObject): boolean {
    return this.snapshot.can(decodeData(event, this.#references) as never);
  }

  /** Gives a durable actor its output; one that has been stopped is no longer asked. */
  settle(step: number, outcome: { readonly output: unknown } | { readonly error: unknown }): void {
    const decoded =
      'output' in outcome
        ? { output: decodeData(outcome.output, this.#references) }
        : { error: decodeData(outcome.error, this.#references) };
    this.#enter(() => this.#durable.settle(step, decoded));
  }

  /** Shows the parent what a child machine told of its state, unless the parent knows that already. */
  showChild(step: number, state: ChildState): void {
    const seen = this.#durable.seen(step);
    if (seen !== undefined) {
      const { value, tags } = seen;
      const known = { value, context: this.encode(seen.context, 'context'), tags };
      if (
        JSON.stringify(known) ===
        JSON.stringify({ value: state.value, context: state.context, tags: state.tags })
      )
        return;
    }
    const context = decodeData(state.context, this.#references);
    this.#enter(() => this.#durable.show(step, { ...state, context }));
  }

  /** A delay of that key is over. */
  due(key: number): void {
    this.#enter(() => this.#delays.due(key));
  }

  /** Takes the stops and delays since the last call, in an order that does not depend on anything but the events. */
  takeEffects(): Effect[] {
    return [...this.#durable.takeStops(), ...this.#delays.takeEffects()];
  }

  /** Takes the actors to start. One that was stopped before never appears. */
  takeStarts(): ActorStart[] {
    return this.#durable.takeStarts();
  }

  /** Takes the actors of an earlier run that run on; they are not among {@link takeStarts} then. */
  takeAttached(): ActorStart[] {
    return this.#durable.takeAttached();
  }

  /**
   * Takes the events for other workflows. It is called after {@link takeStarts}, because a child needs its number first. An event
   * that cannot be written down is the machine's failure.
   */
  takeOutgoing(): OutgoingEvent[] {
    const outgoing = this.#outgoing;
    this.#outgoing = [];
    return outgoing.flatMap(({ to, event }): OutgoingEvent[] => {
      const address = isActorRef(to) ? this.#durable.stepOf(to) : to;
      if (address === undefined) return [];
      try {
        const encoded = encodeData(event, `event '${event.type}'`, this.#references) as AnyEventObject;
        return [{ to: typeof address === 'number' ? { step: address } : address, event: encoded }];
      } catch (error) {
        this.#fail(error);
        return [];
      }
    });
  }

  /** Whether events wait for a child that has not been started. */
  get hasUnsent(): boolean {
    return this.#outgoing.some(({ to }) => isActorRef(to) && this.#durable.stepOf(to) === undefined);
  }

  /** Takes the events that were emitted since the last call. */
  takeEmitted(): EmittedEvent[] {
    const emitted = this.#emitted;
    this.#emitted = [];
    return emitted;
  }

  /** Makes JSON of a value of this machine, with the addresses of actors in place of references. */
  encode(value: unknown, where: string): unknown {
    return encodeData(value, where, this.#references);
  }

  /** How much of the state {@link Interpreter.carry} would hold. */
  get persistence(): Persistence {
    return persistenceOf(this.#actor);
  }

  /**
   * The whole state as JSON, for {@link InterpreterOptions.carried}.
   *
   * @throws DataError for a value in a context, an event or an input that cannot be kept.
   */
  carry(): CarriedMachine {
    const snapshot = persistActor(this.#actor, this.#references, this.#watched);
    const path = (actor: AnyActorRef): readonly string[] => pathTo(this.#actor, actor) ?? [];
    const delays: CarriedDelay[] = this.#delays.list().flatMap(({ id, at, source, target, event }) => {
      if (source === undefined || target === undefined || event === undefined) return [];
      const to = this.#addressOf(target);
      if (to === undefined) return [];
      return [
        {
          id,
          at,
          event: encodeData(event, 'event', this.#references) as AnyEventObject,
          source: path(source),
          to,
        },
      ];
    });
    const actors: CarriedActor[] = this.#durable.carry().map((actor) => ({
      ...actor,
      input: encodeData(actor.input, `input of '${actor.id}'`, this.#references),
    }));
    return { snapshot, delays, actors, steps: this.#durable.steps, emitted: this.#emittedSeq };
  }

  #enter(work: () => void): void {
    if (this.#failure !== undefined) return;
    enterRouter(this.#router);
    this.#limit.reset();
    work();
  }

  #fail(error: unknown): void {
    this.#failure ??= new MachineError(this.#options.machine.id, error);
    this.#options.wake?.();
  }

  readonly #router: Router = (address, event) => {
    // The end of a child machine reaches its parent by its workflow's own outcome.
    if (/^xstate\.(done|error)\.actor\./.test(event.type)) return;
    if (address.workflowId !== this.#options.workflowId) {
      this.#send(address, event);
      return;
    }
    const local = actorAt(this.#actor, address.path);
    if (local === undefined) this.#options.log?.(`the event '${event.type}' is for an actor that is gone`);
    else local.send(event);
  };

  #send(to: AnyActorRef | Address, event: AnyEventObject): void {
    this.#outgoing.push({ to, event });
    this.#options.wake?.();
  }

  #addressOf(value: object): Address | undefined {
    if (!isActorRef(value)) return undefined;
    const remote = remoteAddress(value);
    if (remote !== undefined) return remote;
    // A reference to an actor that was stopped leads nowhere, there as here.
    const path = pathTo(this.#actor, value) ?? ['(stopped)', value.id];
    return { workflowId: this.#options.workflowId, path };
  }

  #resolve(address: unknown, assign: (reference: unknown) => void): void {
    if (!isAddress(address)) {
      assign(undefined);
    } else if (this.#unresolved !== undefined && address.workflowId === this.#options.workflowId) {
      this.#unresolved.push({ address, assign });
    } else {
      assign(this.#referenceTo(address));
    }
  }

  #referenceTo(address: Address): AnyActorRef {
    const isLocal = address.workflowId === this.#options.workflowId;
    return (isLocal ? actorAt(this.#actor, address.path) : undefined) ?? remoteActor(address, this.#router);
  }

  #lookUpUnresolved(): void {
    const unresolved = this.#unresolved ?? [];
    this.#unresolved = undefined;
    for (const { address, assign } of unresolved) assign(this.#referenceTo(address));
  }

  #resumeDelay({ id, at, event, source = [], to }: CarriedDelay): void {
    const from = actorAt(this.#actor, source);
    const target = 'kind' in to ? undefined : this.#referenceTo(to);
    if (from === undefined) return;
    const decoded = decodeData(event, this.#references) as AnyEventObject;
    this.#delays.resume(at, () =>
      this.#actor.system.scheduler.schedule(
        from,
        target ?? from,
        decoded,
        Math.max(0, at - this.#options.now()),
        id,
      ),
    );
  }
}
