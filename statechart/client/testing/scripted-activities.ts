import { ApplicationFailure } from '@temporalio/workflow';
import { encodeData } from '../../core/data.ts';
import type { Invocation } from '../../core/actor-spec.ts';
import { answerOf, type Scenario } from './scenario.ts';
import type { Outcome } from '../test-actor.ts';

/** One call of a source on a worker. */
export interface ScriptedActivityCall {
  readonly source: string;
  readonly input: unknown;
  readonly step: number;
}

interface Waiting {
  readonly step: number;
  readonly answer: (outcome: Outcome) => void;
}

type Activity = (input: unknown, invocation: Invocation) => Promise<unknown>;

/** Activities for a worker that answer as scenarios say. One scenario runs at a time. */
export class ScriptedActivities {
  /** What the worker is given as its `activities`. */
  readonly activities: Readonly<Record<string, Activity>>;
  #sources: Scenario['sources'];
  #calls = new Map<number, ScriptedActivityCall>();
  #waiting: Waiting[] = [];

  constructor(sources: readonly string[]) {
    this.activities = Object.fromEntries(
      sources.map((source) => [source, async (input, { step }) => await this.#call(source, input, step)]),
    ) as Record<string, Activity>;
  }

  /** Forgets the calls before, whose answers come no more, and answers by another scenario. */
  begin(scenario: Pick<Scenario, 'sources'>): void {
    const abandoned = this.#waiting;
    this.#waiting = [];
    this.#sources = scenario.sources;
    this.#calls = new Map();
    for (const { answer } of abandoned) answer({ error: new Error('the scenario is over') });
  }

  /** The calls since the scenario began, in the order in which the machine made them. Further attempts are not counted. */
  get calls(): readonly ScriptedActivityCall[] {
    return [...this.#calls.values()].sort((a, b) => a.step - b.step);
  }

  isWaiting(step: number): boolean {
    return this.#waiting.some((waiting) => waiting.step === step);
  }

  /** Answers a waiting call. */
  answer(step: number, outcome: Outcome): void {
    const waiting = this.#waiting.filter((one) => one.step === step);
    this.#waiting = this.#waiting.filter((one) => one.step !== step);
    for (const { answer } of waiting) answer(outcome);
  }

  async #call(source: string, input: unknown, step: number): Promise<unknown> {
    const before = [...this.#calls.values()].filter((call) => call.source === source && call.step < step);
    this.#calls.set(step, { source, input, step });
    const answer = answerOf(this.#sources, source, before.length);
    const outcome =
      typeof answer === 'object'
        ? answer
        : // A timeout comes from Temporal itself, when the time of the activity's options is over.
          await new Promise<Outcome>((resolve) => this.#waiting.push({ step, answer: resolve }));
    if ('output' in outcome) return outcome.output;
    throw asThrown(outcome.error);
  }
}

/**
 * Makes the activities of a worker that runs scenarios, for {@link durableTarget}.
 *
 * @param sources The names of the activities, which are those of the machine's sources.
 *
 * @example
 * const scripted = scriptedActivities(['charge', 'ship']);
 * const worker = await Worker.create({ ..., activities: scripted.activities });
 */
export const scriptedActivities = (sources: readonly string[]): ScriptedActivities =>
  new ScriptedActivities(sources);

/** An error that reaches the machine as the scenario wrote it, without a further attempt. */
function asThrown(error: unknown): ApplicationFailure {
  const [message, type] = error instanceof Error ? [error.message, error.name] : [String(error), 'Error'];
  return ApplicationFailure.create({
    message,
    type,
    nonRetryable: true,
    details: [encodeData(error, 'error')],
  });
}
