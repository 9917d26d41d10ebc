import type {
  AnyEventObject,
  AnyStateMachine,
  ContextFrom,
  EventFrom,
  InputFrom,
  InspectionEvent,
  OutputFrom,
} from 'xstate';
import { activity, type ActorSpecs } from '../core/actor-spec.ts';
import type { CarriedMachine } from '../core/carried.ts';
import { encodeData } from '../core/data.ts';
import type { ActorStart, OutgoingEvent } from '../core/effect.ts';
import { Interpreter } from '../core/interpreter.ts';
import { legalEvents } from '../core/machine-description.ts';
import type { EmittedOf, EventTypeOf, MachineActorSpecs, SourceName } from '../core/machine-types.ts';
import type { MachineError } from '../core/machine-error.ts';
import { migrateCarried, type Migration } from '../core/migration.ts';
import { prepareMachine } from '../core/prepare-machine.ts';
import { statePath } from '../core/state-path.ts';

/** What a scripted source is called with. */
export interface ScriptedCall {
  readonly input: unknown;
  /** The id of the actor in its machine. */
  readonly id: string;
  /** The number of the invocation, from 1. */
  readonly step: number;
}

/** Plays a source: what it returns is the actor's output, what it throws its error. */
export type Script = (call: ScriptedCall) => unknown;

export interface TestActorOptions<TMachine extends AnyStateMachine> {
  readonly input?: InputFrom<TMachine>;
  /**
   * Scripts by source. A source without one waits for {@link TestActor.resolve} or {@link TestActor.reject}. Machines and
   * transition functions run as they are, unless they have a script.
   */
  readonly scripts?: { readonly [K in SourceName<TMachine>]?: Script };
  /** How sources run, as in `machineWorkflow`, where that matters. */
  readonly actors?: MachineActorSpecs<TMachine>;
  /** The time at the beginning, in milliseconds since 1970. Default 0. */
  readonly now?: number;
  readonly workflowId?: string;
  readonly maxMicrosteps?: number;
  readonly inspect?: (event: InspectionEvent) => void;
}

/** One thing that happened to a test actor, as data that two runs can be compared by. */
export type TraceEntry =
  | { readonly type: 'event'; readonly event: string; readonly state: string }
  | { readonly type: 'start'; readonly source: string; readonly input: unknown }
  | { readonly type: 'stop'; readonly source: string }
  | { readonly type: 'done'; readonly source: string; readonly state: string }
  /** `error` is the name of the error. */
  | { readonly type: 'error'; readonly source: string; readonly error: string; readonly state: string }
  | { readonly type: 'delay'; readonly state: string }
  /** The source was called once more, because nobody knows whether its call before took effect. */
  | { readonly type: 'retry'; readonly source: string; readonly input: unknown }
  /** The run went on in another worker, or as a new run. */
  | { readonly type: 'replay' | 'continue'; readonly state: string };

/** What a durable actor ends with. */
export type Outcome = { readonly output: unknown } | { readonly error: unknown };

/** Something that the interpreter was told, in order that it can be told again. */
interface Told {
  readonly at: number;
  readonly tell: (interpreter: Interpreter) => void;
}

/** A run that was replayed stands elsewhere than before: the machine does not depend on its events alone. */
export class ReplayError extends Error {
  override readonly name = 'ReplayError';
}

/**
 * A durable actor without Temporal: pure, at once, on a clock of its own. It takes the same machine through the same states and
 * effects as a worker does.
 *
 * @example
 * const actor = testActor(orderMachine, { input: { id: '7' }, scripts: { charge: () => ({ receipt: 'r1' }) } });
 * actor.send({ type: 'cancel' });
 * expect(actor.state).toBe('cancelled');
 */
export function testActor<TMachine extends AnyStateMachine>(
  machine: TMachine,
  options: TestActorOptions<TMachine> = {},
): TestActor<TMachine> {
  return new TestActor(machine, options);
}

interface Timer {
  readonly key: number;
  readonly at: number;
}

export class TestActor<TMachine extends AnyStateMachine> {
  readonly trace: TraceEntry[] = [];
  /** Events for other workflows, in the order they were sent. */
  readonly sent: OutgoingEvent[] = [];
  /** Events that the machine has emitted. */
  readonly emitted: EmittedOf<TMachine>[] = [];
  /** What `log()` actions have written. */
  readonly logged: unknown[][] = [];
  readonly #options: TestActorOptions<TMachine>;
  readonly #actors = new Map<number, ActorStart>();
  readonly #started = new Set<number>();
  #machine: AnyStateMachine;
  #interpreter: Interpreter;
  #timers: Timer[] = [];
  #now: number;
  #isSettling = false;
  /** Since the run began. */
  #told: Told[] = [];
  #began: { readonly at: number; readonly carried: CarriedMachine | undefined };

  constructor(machine: TMachine, options: TestActorOptions<TMachine>) {
    this.#options = options;
    this.#now = options.now ?? 0;
    this.#machine = machine;
    this.#began = { at: this.#now, carried: undefined };
    this.#interpreter = this.#newInterpreter(machine, undefined);
    this.#interpreter.start();
    this.#settle();
  }

  /** The state as one line, such as `request.waiting`. */
  get state(): string {
    return statePath(this.#interpreter.snapshot.value as never);
  }

  get context(): ContextFrom<TMachine> {
    return this.#interpreter.snapshot.context as ContextFrom<TMachine>;
  }

  get status(): 'active' | 'done' | 'error' | 'stopped' {
    return this.failure === undefined
      ? (this.#interpreter.snapshot.status as 'active' | 'done' | 'error' | 'stopped')
      : 'error';
  }

  get output(): OutputFrom<TMachine> | undefined {
    return this.#interpreter.snapshot.output as OutputFrom<TMachine> | undefined;
  }

  /** Why the machine has failed; undefined while it has not. */
  get failure(): MachineError | undefined {
    return this.#interpreter.failure;
  }

  /** The machine's snapshot, as `actor.getSnapshot()` of XState answers it. */
  get snapshot(): ReturnType<TMachine['transition']> {
    return this.#interpreter.snapshot as ReturnType<TMachine['transition']>;
  }

  /** Event types that have a transition now. */
  get events(): readonly EventTypeOf<TMachine>[] {
    return legalEvents(this.#interpreter.snapshot) as EventTypeOf<TMachine>[];
  }

  /** The actors that wait for an outcome. */
  get running(): readonly ActorStart[] {
    return [...this.#actors.values()];
  }

  /** Pending delayed events; `at` on the actor's own clock. */
  get delays(): readonly { readonly id: string | undefined; readonly at: number }[] {
    return this.#interpreter.pending;
  }

  get workflowId(): string {
    return this.#options.workflowId ?? 'test';
  }

  /** Milliseconds since 1970 on the actor's own clock. */
  get now(): number {
    return this.#now;
  }

  /** Makes JSON of a value of this machine, with addresses in place of references to actors. */
  encode(value: unknown, where: string): unknown {
    return this.#interpreter.encode(value, where);
  }

  can(event: EventFrom<TMachine>): boolean {
    return this.#interpreter.can(this.#written(event));
  }

  /** Sends an event and runs what follows from it at once. Answers the state. */
  send(event: EventFrom<TMachine>): string {
    const written = this.#written(event);
    this.#tell((interpreter) => interpreter.send(written));
    this.#note((state) => ({ type: 'event', event: (event as AnyEventObject).type, state }));
    return this.state;
  }

  /** Gives a waiting actor its output. Answers the state. */
  resolve(actor: string, output?: unknown): string {
    this.#finish(this.#waiting(actor), { output });
    return this.state;
  }

  /** Lets a waiting actor fail. Answers the state. */
  reject(actor: string, error: unknown): string {
    this.#finish(this.#waiting(actor), { error });
    return this.state;
  }

  /**
   * Gives an actor its outcome by the number of its invocation. A second outcome, and that of a stopped actor, change nothing, as
   * in a run. Answers the state.
   */
  answer(step: number, outcome: Outcome): string {
    const start = this.#actors.get(step);
    if (start === undefined) this.#tell((interpreter) => interpreter.settle(step, outcome));
    else this.#finish(start, outcome);
    return this.state;
  }

  /** Notes that a source is called once more under the same number. */
  noteRetry(step: number): void {
    const start = this.#actors.get(step);
    if (start !== undefined)
      this.trace.push({ type: 'retry', source: start.source.name, input: start.input });
  }

  /** Lets time pass; delays that end meanwhile do so one after the other, each at its time. Answers the state. */
  advance(ms: number): string {
    const end = this.#now + ms;
    for (let next = this.#nextTimer(end); next !== undefined; next = this.#nextTimer(end)) {
      this.#now = Math.max(this.#now, next.at);
      this.#fire(next);
    }
    this.#now = end;
    return this.state;
  }

  /** Lets time pass until the next delay ends. Answers whether there was one. */
  advanceToNext(): boolean {
    const next = this.#nextTimer(Number.POSITIVE_INFINITY);
    if (next === undefined) return false;
    this.#now = Math.max(this.#now, next.at);
    this.#fire(next);
    return true;
  }

  /** Whether a workflow would continue as new now: not while an actor runs in its process whose progress cannot be carried. */
  get canContinueAsNew(): boolean {
    return this.#interpreter.persistence === 'whole';
  }

  /**
   * Goes on as a new run does that has only what was carried over, as JSON: after continue-as-new, or with another machine by
   * a migration.
   */
  continueAsNew(next?: { readonly machine: AnyStateMachine; readonly migrate?: Migration }): void {
    if (this.#interpreter.persistence === 'partly')
      throw new Error('an actor with an inline source is running; it cannot be carried over');
    const written = JSON.parse(JSON.stringify(this.#interpreter.carry())) as CarriedMachine;
    if (next !== undefined) this.#machine = next.machine;
    const state =
      next === undefined ? written : migrateCarried(written, next.machine, next.migrate ?? {}, null);
    this.#timers = [];
    this.#actors.clear();
    this.#told = [];
    this.#began = { at: this.#now, carried: state };
    this.#interpreter = this.#newInterpreter(this.#machine, state);
    this.#interpreter.start();
    this.#settle();
  }

  /**
   * Goes on as a run does whose worker was lost: everything that the machine was told since the run began is told to it anew.
   * Actors and delays go on.
   *
   * @throws ReplayError when the machine then stands elsewhere, because something but its events decides where it goes.
   */
  replay(): void {
    const { at: now, state: before } = { at: this.#now, state: this.#standing() };
    const { emitted, logged } = { emitted: this.emitted.length, logged: this.logged.length };
    this.#isSettling = true;
    this.#now = this.#began.at;
    this.#interpreter = this.#newInterpreter(this.#machine, this.#began.carried);
    this.#interpreter.start();
    this.#discard();
    for (const { at, tell } of this.#told) {
      this.#now = at;
      tell(this.#interpreter);
      this.#discard();
    }
    this.#now = now;
    this.#isSettling = false;
    this.emitted.length = emitted;
    this.logged.length = logged;
    const after = this.#standing();
    if (after !== before) throw new ReplayError(`the replayed run stands at ${after}, not at ${before}`);
  }

  /** Where the machine stands, with its actors and delays, as one line. */
  #standing(): string {
    const { snapshot } = this.#interpreter;
    const { status } = snapshot;
    const value: unknown = snapshot.value;
    const context = this.encode(snapshot.context, 'context');
    const actors = this.#interpreter.running.map(({ step, path }) => `${step} ${path.join('/')}`);
    const delays = this.#interpreter.pending.map(({ at }) => at);
    return JSON.stringify([value, status, context, actors, delays]);
  }

  #discard(): void {
    this.#interpreter.takeEffects();
    this.#interpreter.takeStarts();
    this.#interpreter.takeOutgoing();
    this.#interpreter.takeEmitted();
  }

  #tell(tell: (interpreter: Interpreter) => void): void {
    this.#told.push({ at: this.#now, tell });
    tell(this.#interpreter);
  }

  #newInterpreter(machine: AnyStateMachine, carried: CarriedMachine | undefined): Interpreter {
    const { input, actors = {}, scripts = {}, maxMicrosteps, inspect, workflowId = 'test' } = this.#options;
    const manual = (name: string): ActorSpecs[string] => activity(name, { startToCloseTimeout: '1 minute' });
    const scripted = Object.fromEntries(Object.keys(scripts).map((name) => [name, manual(name)]));
    return new Interpreter({
      machine: prepareMachine(machine, { ...scripted, ...actors }, manual),
      workflowId,
      now: () => this.#now,
      wake: () => {
        if (!this.#isSettling) queueMicrotask(() => this.#settle());
      },
      log: (...message) => this.logged.push(message),
      ...(maxMicrosteps === undefined ? {} : { maxMicrosteps }),
      ...(inspect === undefined ? {} : { inspect }),
      ...(carried === undefined ? { input: encodeData(input, 'input') } : { carried }),
    });
  }

  /** As a client writes it down for a workflow. */
  #written(event: EventFrom<TMachine>): AnyEventObject {
    return this.#interpreter.encode(event, 'event') as AnyEventObject;
  }

  #waiting(actor: string): ActorStart {
    const found = this.running.find(({ path, source }) => path.join('/') === actor || source.name === actor);
    if (found !== undefined) return found;
    const names = this.running.map(({ path, source }) => `${path.join('/')} (${source.name})`).join(', ');
    throw new Error(`no actor '${actor}' waits; waiting: ${names === '' ? 'none' : names}`);
  }

  #finish({ step, source }: ActorStart, outcome: Outcome): void {
    if (!this.#actors.delete(step)) return;
    this.#tell((interpreter) => interpreter.settle(step, outcome));
    this.#note((state) =>
      'output' in outcome
        ? { type: 'done', source: source.name, state }
        : { type: 'error', source: source.name, error: nameOf(outcome.error), state },
    );
  }

  #nextTimer(end: number): Timer | undefined {
    const [next] = [...this.#timers].sort((a, b) => a.at - b.at || a.key - b.key);
    return next !== undefined && next.at <= end ? next : undefined;
  }

  #fire({ key }: Timer): void {
    this.#timers = this.#timers.filter((timer) => timer.key !== key);
    this.#tell((interpreter) => interpreter.due(key));
    this.#note((state) => ({ type: 'delay', state }));
  }

  #note(entry: (state: string) => TraceEntry): void {
    this.trace.push(entry(this.state));
    this.#settle();
  }

  #settle(): void {
    if (this.#isSettling) return;
    this.#isSettling = true;
    const scripted: ActorStart[] = [];
    for (const effect of this.#interpreter.takeEffects()) {
      if (effect.type === 'delay') this.#timers.push({ key: effect.key, at: this.#now + effect.ms });
      else if (effect.type === 'cancel') this.#timers = this.#timers.filter(({ key }) => key !== effect.key);
      else this.#stop(effect.step);
    }
    for (const start of this.#interpreter.takeStarts()) {
      this.#actors.set(start.step, start);
      const type = this.#started.has(start.step) ? 'retry' : 'start';
      this.#started.add(start.step);
      this.trace.push({ type, source: start.source.name, input: start.input });
      if (this.#scriptOf(start) !== undefined) scripted.push(start);
    }
    this.sent.push(...this.#interpreter.takeOutgoing());
    this.emitted.push(...this.#interpreter.takeEmitted().map(({ event }) => event as EmittedOf<TMachine>));
    this.#isSettling = false;
    for (const start of scripted) this.#play(start);
  }

  #scriptOf({ source }: ActorStart): Script | undefined {
    const { scripts } = this.#options;
    return (scripts as Readonly<Record<string, Script>> | undefined)?.[source.name];
  }

  #stop(step: number): void {
    const stopped = this.#actors.get(step);
    this.#actors.delete(step);
    if (stopped !== undefined) this.trace.push({ type: 'stop', source: stopped.source.name });
  }

  #play(start: ActorStart): void {
    const script = this.#scriptOf(start);
    if (script === undefined || !this.#actors.has(start.step)) return;
    const id = start.path.at(-1) ?? '';
    let outcome: Outcome;
    try {
      outcome = { output: script({ input: start.input, id, step: start.step }) };
    } catch (error) {
      outcome = { error };
    }
    this.#finish(start, outcome);
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'Error');
