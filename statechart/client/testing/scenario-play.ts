import type { AnyStateMachine } from 'xstate';
import { activity, type ActorSpecs } from '../../core/actor-spec.ts';
import type { ActorStart } from '../../core/effect.ts';
import { testActor, type Outcome, type TestActor } from '../test-actor.ts';
import { comparable } from './comparable.ts';
import {
  answerOf,
  stepText,
  timeoutError,
  type Scenario,
  type ScenarioPoint,
  type ScenarioStep,
} from './scenario.ts';

/** What may happen to the calls and the steps of a scenario that is played. */
export interface Disturbance {
  /** Called when a source is called, with the number of the call in the scenario, from 0. Answers what to do. */
  readonly onCall?: (call: number, start: ActorStart) => Disturbed | undefined;
  /** How often a client sends the event of a step. */
  readonly timesSent?: (step: number) => number;
  /** Called after every single thing that has happened; points count from 0. */
  readonly onPoint?: (point: number) => void;
}

/** What becomes of one call of a source. */
export type Disturbed =
  /** Another outcome than the scenario's. */
  | { readonly outcome: Outcome }
  /** The call takes effect, its answer is lost with the worker, and it is made again. */
  | { readonly crash: true }
  | { readonly twice: true }
  /** The answer comes after so many further things have happened, or at the end. */
  | { readonly late: number };

interface Late {
  readonly step: number;
  readonly outcome: Outcome;
  left: number;
}

/** Plays a scenario on a test actor, one thing after the other. */
export class ScenarioPlay<TMachine extends AnyStateMachine> {
  readonly actor: TestActor<TMachine>;
  readonly #scenario: Scenario<TMachine>;
  readonly #disturbance: Disturbance | undefined;
  readonly #seen = new Set<number>();
  readonly #calls = new Map<string, number>();
  #late: Late[] = [];
  #callCount = 0;
  #points = 0;
  #noted = { trace: 0, emitted: 0 };
  /** The state that was entered last; undefined before the first. */
  #entered: string | undefined;
  readonly #initial: string;

  constructor(
    machine: TMachine,
    scenario: Scenario<TMachine>,
    { actors = {}, disturbance }: { actors?: ActorSpecs; disturbance?: Disturbance } = {},
  ) {
    this.#scenario = scenario;
    this.#disturbance = disturbance;
    const named = Object.keys(scenario.sources ?? {}).map(
      (name) => [name, activity(name, { startToCloseTimeout: '1 minute' })] as const,
    );
    this.actor = testActor(machine, {
      ...(scenario.input === undefined ? {} : { input: scenario.input }),
      actors: { ...Object.fromEntries(named), ...actors },
    });
    this.#initial = this.actor.state;
  }

  /** How many calls of sources there were. */
  get calls(): number {
    return this.#callCount;
  }

  /** How many things have happened. */
  get points(): number {
    return this.#points;
  }

  /** What follows from the start. */
  start(): ScenarioPoint {
    this.#happened();
    this.#answer();
    return this.#point('start');
  }

  step(index: number): ScenarioPoint {
    const step = this.#scenario.steps[index];
    if (step === undefined) throw new Error(`the scenario has no step ${index}`);
    if ('send' in step) {
      const times = this.#disturbance?.timesSent?.(index) ?? 1;
      for (let sent = 0; sent < times; sent += 1) this.#act(() => this.actor.send(step.send));
    } else if ('pass' in step) {
      this.#pass(step.pass);
    } else {
      this.#act(() => this.#resolve(step));
    }
    return this.#point(stepText(step as ScenarioStep));
  }

  /** Lets the answers come that were held back to the end. */
  end(): void {
    for (const late of this.#late) late.left = 0;
    this.#answer();
  }

  #resolve(step: ScenarioStep<TMachine>): void {
    const name = 'resolve' in step ? step.resolve : 'reject' in step ? step.reject : '';
    const isWaiting = this.actor.running.some(
      ({ path, source }) => path.join('/') === name || source.name === name,
    );
    // Where faults are put in, the machine may have gone another way.
    if (!isWaiting && this.#disturbance !== undefined) return;
    if ('resolve' in step) this.actor.resolve(step.resolve, step.output);
    else if ('reject' in step) this.actor.reject(step.reject, step.error);
  }

  #pass(ms: number): void {
    const end = this.actor.now + ms;
    const next = (): number => Math.min(...this.actor.delays.map(({ at }) => at), Number.POSITIVE_INFINITY);
    // One delay at a time, because an answer may come between two.
    while (next() <= end) this.#act(() => this.actor.advanceToNext());
    this.actor.advance(Math.max(0, end - this.actor.now));
  }

  #act(act: () => void): void {
    act();
    this.#happened();
    this.#answer();
  }

  #happened(): void {
    for (const late of this.#late) late.left -= 1;
    this.#disturbance?.onPoint?.(this.#points++);
  }

  /** Answers every call that has not been answered, in the order of the calls, until there are no more. */
  #answer(): void {
    for (;;) {
      const due = this.#late.find(({ left }) => left <= 0);
      const start = this.actor.running.find(({ step }) => !this.#seen.has(step));
      if (due !== undefined) {
        this.#late = this.#late.filter((late) => late !== due);
        this.#settle(due.step, due.outcome);
      } else if (start !== undefined) {
        this.#seen.add(start.step);
        this.#call(start);
      } else {
        return;
      }
    }
  }

  #call(start: ActorStart): void {
    const source = start.source.name;
    const count = this.#calls.get(source) ?? 0;
    this.#calls.set(source, count + 1);
    const disturbed = this.#disturbance?.onCall?.(this.#callCount++, start);
    const answer = answerOf(this.#scenario.sources, source, count);
    if (disturbed !== undefined && 'crash' in disturbed) {
      this.actor.replay();
      this.actor.noteRetry(start.step);
    }
    if (disturbed !== undefined && 'outcome' in disturbed) {
      this.#settle(start.step, disturbed.outcome);
      return;
    }
    if (answer === 'wait') return;
    const outcome = answer === 'timeout' ? { error: timeoutError() } : answer;
    if (disturbed !== undefined && 'late' in disturbed) {
      this.#late.push({ step: start.step, outcome, left: disturbed.late });
      return;
    }
    this.#settle(start.step, outcome);
    if (disturbed !== undefined && 'twice' in disturbed) this.#settle(start.step, outcome);
  }

  #settle(step: number, outcome: Outcome): void {
    this.actor.answer(step, outcome);
    this.#happened();
  }

  #point(step: string): ScenarioPoint {
    const { actor } = this;
    const entries = actor.trace.slice(this.#noted.trace);
    const entered = [
      this.#initial,
      ...entries.flatMap((entry) => ('state' in entry ? [entry.state] : [])),
      actor.state,
    ].slice(this.#entered === undefined ? 0 : 1);
    const states: string[] = [];
    for (const state of entered) {
      if (state !== this.#entered) states.push(state);
      this.#entered = state;
    }
    const emitted = actor.emitted.slice(this.#noted.emitted);
    this.#noted = { trace: actor.trace.length, emitted: actor.emitted.length };
    return {
      step,
      states,
      state: actor.state,
      status: actor.status,
      context: this.#comparable(actor.context, 'context'),
      started: entries.flatMap((entry) =>
        entry.type === 'start' ? [{ source: entry.source, input: asActivityInput(entry.input) }] : [],
      ),
      running: actor.running.map(({ source }) => source.name),
      delays: actor.status === 'active' ? actor.delays.length : 0,
      emitted: emitted.map((event) => this.#comparable(event, 'emitted event')),
      ...(actor.output === undefined ? {} : { output: this.#comparable(actor.output, 'output') }),
    };
  }

  #comparable(value: unknown, where: string): unknown {
    return comparable(this.actor.encode(value, where), this.actor.workflowId);
  }
}

/** An input as an activity gets it. */
const asActivityInput = (input: unknown): unknown =>
  input === undefined ? undefined : (JSON.parse(JSON.stringify(input)) as unknown);
