import type { AnyStateMachine, ContextFrom } from 'xstate';
import type { ActorSpecs } from '../../core/actor-spec.ts';
import { DataError } from '../../core/data.ts';
import { ReplayError, type TestActor, type TraceEntry } from '../test-actor.ts';
import { allFaults, FAULT_KINDS, faultText, type Extent, type Fault, type FaultKind } from './fault.ts';
import { timeoutError, type Scenario } from './scenario.ts';
import { ScenarioPlay, type Disturbed, type Disturbance } from './scenario-play.ts';

/** What an invariant looks at. */
export interface Moment<TMachine extends AnyStateMachine> {
  /** The state as one line. */
  readonly state: string;
  readonly context: ContextFrom<TMachine>;
  readonly status: TestActor<TMachine>['status'];
  readonly snapshot: TestActor<TMachine>['snapshot'];
  /** All that has happened so far. A source that was called again has a `retry` behind its `start`. */
  readonly trace: readonly TraceEntry[];
  /** The scenario is over, and every answer has come. */
  readonly isEnd: boolean;
}

/** Answers whether it holds, or why it does not; what it throws says so, too. */
export type Invariant<TMachine extends AnyStateMachine> = (
  moment: Moment<TMachine>,
) => boolean | string | undefined;

export interface ExploreOptions<TMachine extends AnyStateMachine> {
  readonly machine: TMachine;
  readonly scenario: Scenario<TMachine>;
  /** By name. Each is asked after everything that happens. */
  readonly invariants: Readonly<Record<string, Invariant<TMachine>>>;
  /** Default: all. */
  readonly faults?: readonly FaultKind[];
  /** Schedules of several faults, drawn by a seed, after all single faults. Default: none. */
  readonly several?: { readonly schedules: number; readonly most?: number; readonly seed?: number };
  readonly actors?: ActorSpecs;
}

/** The smallest schedule under which an invariant does not hold. */
export interface FaultFailure {
  readonly faults: readonly Fault[];
  /** The faults in words, such as `timeout at call 1 (ship)`. */
  readonly schedule: readonly string[];
  readonly invariant: string;
  readonly reason: string;
  readonly state: string;
  readonly trace: readonly TraceEntry[];
}

export interface FaultReport {
  /** How many schedules were played, the one without faults among them. */
  readonly schedules: number;
  readonly failure?: FaultFailure;
}

/** An invariant does not hold. */
class Violation extends Error {
  override readonly name = 'Violation';
  readonly invariant: string;
  constructor(invariant: string, reason: string) {
    super(reason);
    this.invariant = invariant;
  }
}

const DEFAULT_MOST = 3;

/**
 * Plays a scenario under every single fault, and under schedules of several, and asks after each thing that happens whether the
 * invariants hold. It is pure: it takes no worker and no time.
 *
 * @returns How much was played, and the smallest schedule that breaks an invariant, where there is one. Two
 * invariants are always asked: `replay`, that a replayed run stands where it stood, and `continue-as-new`, that the state can be
 * carried over.
 */
export function exploreFaults<TMachine extends AnyStateMachine>(
  options: ExploreOptions<TMachine>,
): FaultReport {
  const { faults: kinds = FAULT_KINDS, several } = options;
  const whole = play(options, []);
  let schedules = 1;
  if (whole.failure !== undefined) return { schedules, failure: whole.failure };
  const single = allFaults(kinds, whole.extent);
  for (const fault of single) {
    schedules += 1;
    const { failure } = play(options, [fault]);
    if (failure !== undefined) return { schedules, failure };
  }
  if (several === undefined || single.length < 2) return { schedules };
  const random = seeded(several.seed ?? 1);
  const most = Math.min(several.most ?? DEFAULT_MOST, single.length);
  for (let drawn = 0; drawn < several.schedules; drawn += 1) {
    schedules += 1;
    const count = 2 + Math.floor(random() * (most - 1));
    const { failure } = play(options, draw(single, count, random));
    if (failure !== undefined) return { schedules, failure: shrunk(options, failure) };
  }
  return { schedules };
}

/** Takes faults away as long as what is left still breaks an invariant. */
function shrunk<TMachine extends AnyStateMachine>(
  options: ExploreOptions<TMachine>,
  failure: FaultFailure,
): FaultFailure {
  for (const fault of failure.faults) {
    const smaller = play(
      options,
      failure.faults.filter((other) => other !== fault),
    ).failure;
    if (smaller !== undefined) return shrunk(options, smaller);
  }
  return failure;
}

function play<TMachine extends AnyStateMachine>(
  { machine, scenario, invariants, actors = {} }: ExploreOptions<TMachine>,
  faults: readonly Fault[],
): { readonly extent: Extent; readonly failure?: FaultFailure } {
  const sources = new Map<number, string>();
  const ask = (isEnd: boolean): void => {
    const { state, context, status, snapshot, trace } = scene.actor;
    const moment = { state, context, status, snapshot, trace, isEnd };
    for (const [name, holds] of Object.entries(invariants)) require(name, () => holds(moment));
  };
  const disturbance: Disturbance = {
    onCall: (call, { source }) => {
      sources.set(call, source.name);
      return disturbedCall(faults, call);
    },
    timesSent: (step) => (faults.some((fault) => fault.kind === 'resent' && fault.step === step) ? 2 : 1),
    onPoint: (point) => {
      ask(false);
      if (scene.actor.status !== 'active') return;
      for (const fault of faults) {
        if (!('point' in fault) || fault.point !== point) continue;
        if (fault.kind === 'replay') scene.actor.replay();
        else scene.actor.continueAsNew();
        ask(false);
      }
    },
  };
  const scene = new ScenarioPlay(machine, scenario, { actors, disturbance });
  const extent = (): Extent => ({
    calls: scene.calls,
    points: scene.points,
    sends: [...scenario.steps.entries()].flatMap(([index, step]) => ('send' in step ? [index] : [])),
  });
  try {
    scene.start();
    for (const index of scenario.steps.keys()) scene.step(index);
    scene.end();
    ask(true);
    return { extent: extent() };
  } catch (error) {
    const violation = asViolation(error);
    const schedule = faults.map((fault) =>
      'call' in fault ? `${faultText(fault)} (${sources.get(fault.call) ?? 'never made'})` : faultText(fault),
    );
    const { state, trace } = scene.actor;
    const { invariant, message: reason } = violation;
    return { extent: extent(), failure: { faults, schedule, invariant, reason, state, trace: [...trace] } };
  }
}

function disturbedCall(faults: readonly Fault[], call: number): Disturbed | undefined {
  for (const fault of faults) {
    if (!('call' in fault) || fault.call !== call) continue;
    switch (fault.kind) {
      case 'crash':
        return { crash: true };
      case 'timeout':
        return { outcome: { error: timeoutError() } };
      case 'failure':
        return { outcome: { error: new Error('a failure that was put in') } };
      case 'late':
        return { late: fault.things };
      case 'twice':
        return { twice: true };
    }
  }
  return undefined;
}

function require(name: string, holds: () => boolean | string | undefined): void {
  let answer: boolean | string | undefined;
  try {
    answer = holds();
  } catch (error) {
    throw new Violation(name, error instanceof Error ? error.message : String(error));
  }
  if (answer === false) throw new Violation(name, 'it does not hold');
  if (typeof answer === 'string') throw new Violation(name, answer);
}

function asViolation(error: unknown): Violation {
  if (error instanceof Violation) return error;
  if (error instanceof ReplayError) return new Violation('replay', error.message);
  if (error instanceof DataError) return new Violation('continue-as-new', error.message);
  throw error;
}

function draw(from: readonly Fault[], count: number, random: () => number): Fault[] {
  const left = [...from];
  return Array.from({ length: Math.min(count, left.length) }, () =>
    left.splice(Math.floor(random() * left.length), 1),
  ).flat();
}

/** Numbers in [0, 1) that a seed repeats (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
