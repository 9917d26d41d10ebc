import type { AnyStateMachine, EventFrom, InputFrom } from 'xstate';
import type { Outcome } from '../test-actor.ts';

/**
 * What happens to a machine, as data: its input, what its sources answer, and what comes from outside. The same scenario runs on
 * a test actor and on a real worker.
 */
export interface Scenario<TMachine extends AnyStateMachine = AnyStateMachine> {
  readonly input?: InputFrom<TMachine>;
  /**
   * The answers of each source, call after call; the last one holds for all calls that follow. A source that is not named, or
   * whose answer is `wait`, waits for a step that answers it.
   */
  readonly sources?: Readonly<Record<string, readonly SourceAnswer[]>>;
  readonly steps: readonly ScenarioStep<TMachine>[];
}

/** What a source answers. A timeout is an error with the name `TimeoutFailure`, as Temporal's is. */
export type SourceAnswer = Outcome | 'wait' | 'timeout';

export type ScenarioStep<TMachine extends AnyStateMachine = AnyStateMachine> =
  /** An event from a client. */
  | { readonly send: EventFrom<TMachine> }
  /** Time passes, in milliseconds. A real worker lets it pass for real. */
  | { readonly pass: number }
  /** The answer of a waiting actor, by its id or its source. */
  | { readonly resolve: string; readonly output?: unknown }
  | { readonly reject: string; readonly error: unknown };

/** What a machine did in one step of a scenario, for comparison. */
export interface ScenarioPoint {
  /** The step, such as `send pay`; `start` before the first one. */
  readonly step: string;
  /** The states that were entered, in order, such as `request.waiting`. */
  readonly states: readonly string[];
  /** The state at the end of the step. */
  readonly state: string;
  readonly status: 'active' | 'done' | 'error' | 'stopped';
  /** As JSON, by `encodeData`. */
  readonly context: unknown;
  /** The sources that were called in the step, with their input. */
  readonly started: readonly { readonly source: string; readonly input: unknown }[];
  /** The sources whose answer is awaited. */
  readonly running: readonly string[];
  /** The number of pending delays. */
  readonly delays: number;
  /** Events that were emitted, as JSON. */
  readonly emitted: readonly unknown[];
  /** As JSON, once the machine is done. */
  readonly output?: unknown;
}

export type ScenarioTrace = readonly ScenarioPoint[];

/** Where a scenario runs. */
export interface ScenarioTarget<TMachine extends AnyStateMachine> {
  readonly run: (scenario: Scenario<TMachine>) => Promise<ScenarioTrace>;
}

/**
 * Runs a scenario and answers what the machine did in each step. Two targets with the same machine answer the same.
 *
 * @example
 * const expected = await runScenario(testTarget(orderMachine), scenario);
 * expect(await runScenario(durable, scenario)).toEqual(expected);
 */
export async function runScenario<TMachine extends AnyStateMachine>(
  target: ScenarioTarget<TMachine>,
  scenario: Scenario<TMachine>,
): Promise<ScenarioTrace> {
  return await target.run(scenario);
}

/** A step as one line. */
export function stepText(step: ScenarioStep): string {
  if ('send' in step) return `send ${String((step.send as { readonly type: unknown }).type)}`;
  if ('pass' in step) return `pass ${step.pass} ms`;
  return 'resolve' in step ? `resolve ${step.resolve}` : `reject ${step.reject}`;
}

/** The answer of a source's call; calls count from 0. */
export function answerOf(sources: Scenario['sources'], source: string, call: number): SourceAnswer {
  const answers = sources?.[source] ?? [];
  return answers[Math.min(call, answers.length - 1)] ?? 'wait';
}

/** What a source that has timed out ends with, as from a worker. */
export function timeoutError(): Error {
  const error = new Error('activity StartToClose timeout');
  Object.defineProperty(error, 'name', { value: 'TimeoutFailure', writable: true, configurable: true });
  return Object.assign(error, { timeoutType: 'START_TO_CLOSE' });
}
