import type { AnyStateMachine } from 'xstate';
import type { ActorSpecs } from '../../core/actor-spec.ts';
import { encodeData } from '../../core/data.ts';
import { MESSAGES, type Change, type ChangesView, type MachineSnapshotView } from '../../core/messages.ts';
import type { MachineStart } from '../../workflow/machine-start.ts';
import { comparable } from './comparable.ts';
import {
  stepText,
  type Scenario,
  type ScenarioPoint,
  type ScenarioStep,
  type ScenarioTarget,
} from './scenario.ts';
import { ScenarioPlay } from './scenario-play.ts';
import type { ScriptedActivities } from './scripted-activities.ts';

/** A Temporal client, as far as it is used here. */
export interface ScenarioClient {
  readonly workflow: {
    start(
      type: string,
      options: { taskQueue: string; workflowId: string; args: [MachineStart] },
    ): Promise<ScenarioHandle>;
  };
}

interface ScenarioHandle {
  signal(name: string, argument: unknown): Promise<void>;
  query<TResult>(name: string, ...args: unknown[]): Promise<TResult>;
  terminate(reason?: string): Promise<unknown>;
}

export interface DurableTargetOptions<TMachine extends AnyStateMachine> {
  readonly client: ScenarioClient;
  readonly taskQueue: string;
  /** The name that the machine's workflow is exported by. */
  readonly workflowType: string;
  /** The machine of the workflow. It says, on a test actor, what each step is to be waited for. */
  readonly machine: TMachine;
  /** Those that the worker of the task queue runs. */
  readonly scripted: ScriptedActivities;
  /** As for the test actor. */
  readonly actors?: ActorSpecs;
  /** The ids of the workflows. Default: the type and a random number. */
  readonly workflowId?: () => string;
  /** How long a step is waited for, in milliseconds, besides the time that it lets pass. Default 15,000. */
  readonly timeout?: number;
}

const DEFAULT_TIMEOUT = 15_000;
const POLL = 10;
const PATIENCE = 3000;

/**
 * Runs scenarios on a real worker. After each step it waits until the run stands where a test actor does; when it does not
 * within the time, the trace tells where it stood and ends there.
 *
 * Delays are real. A scenario says how much time passes, and what is due in that time is waited for.
 */
export function durableTarget<TMachine extends AnyStateMachine>(
  options: DurableTargetOptions<TMachine>,
): ScenarioTarget<TMachine> {
  return {
    run: async (scenario) => {
      const run = await DurableScenario.start(options, scenario);
      try {
        return await run.points();
      } finally {
        await run.close();
      }
    },
  };
}

class DurableScenario<TMachine extends AnyStateMachine> {
  readonly #options: DurableTargetOptions<TMachine>;
  readonly #scenario: Scenario<TMachine>;
  readonly #handle: ScenarioHandle;
  readonly #workflowId: string;
  readonly #play: ScenarioPlay<TMachine>;
  readonly #seen = { cursor: 0, calls: 0, state: '' };

  private constructor(
    options: DurableTargetOptions<TMachine>,
    scenario: Scenario<TMachine>,
    handle: ScenarioHandle,
    workflowId: string,
  ) {
    this.#workflowId = workflowId;
    this.#options = options;
    this.#scenario = scenario;
    this.#handle = handle;
    const { machine, actors } = options;
    this.#play = new ScenarioPlay(machine, scenario, actors === undefined ? {} : { actors });
  }

  static async start<TMachine extends AnyStateMachine>(
    options: DurableTargetOptions<TMachine>,
    scenario: Scenario<TMachine>,
  ): Promise<DurableScenario<TMachine>> {
    const { client, taskQueue, workflowType, scripted, workflowId } = options;
    scripted.begin(scenario);
    const id = workflowId?.() ?? `${workflowType}-${Math.random().toString(36).slice(2)}`;
    const handle = await client.workflow.start(workflowType, {
      taskQueue,
      workflowId: id,
      args: [{ input: encodeData(scenario.input, 'input') }],
    });
    return new DurableScenario(options, scenario, handle, id);
  }

  async points(): Promise<ScenarioPoint[]> {
    const points: ScenarioPoint[] = [];
    const first = await this.#await('start', this.#play.start(), 0);
    points.push(first.point);
    let { isExpected } = first;
    for (const [index, step] of this.#scenario.steps.entries()) {
      if (!isExpected) break;
      await this.#do(step);
      const passing = 'pass' in step ? step.pass : 0;
      const next = await this.#await(stepText(step as ScenarioStep), this.#play.step(index), passing);
      points.push(next.point);
      ({ isExpected } = next);
    }
    return points;
  }

  async close(): Promise<void> {
    this.#options.scripted.begin({});
    // It may have ended.
    await this.#handle.terminate('the scenario is over').catch(() => undefined);
  }

  async #do(step: ScenarioStep<TMachine>): Promise<void> {
    if ('send' in step) {
      await this.#handle.signal(MESSAGES.send, encodeData(step.send, 'event'));
    } else if ('resolve' in step) {
      this.#options.scripted.answer(await this.#waiting(step.resolve), { output: step.output });
    } else if ('reject' in step) {
      this.#options.scripted.answer(await this.#waiting(step.reject), { error: step.error });
    }
  }

  /** The number of a waiting call by the actor's id or its source. */
  async #waiting(actor: string): Promise<number> {
    const { actors } = await this.#view();
    const found = actors.find(
      ({ id, src, step }) => (id === actor || src === actor) && this.#options.scripted.isWaiting(step),
    );
    if (found === undefined) throw new Error(`no actor '${actor}' waits`);
    return found.step;
  }

  /** Waits until the run stands as expected, and answers how it stands. */
  async #await(
    step: string,
    expected: ScenarioPoint,
    passing: number,
  ): Promise<{ readonly point: ScenarioPoint; readonly isExpected: boolean }> {
    const wanted = JSON.stringify(expected);
    const deadline = Date.now() + passing + (this.#options.timeout ?? DEFAULT_TIMEOUT);
    for (;;) {
      const { point, cursor, calls } = await this.#look(step);
      const isExpected = JSON.stringify(point) === wanted;
      if (isExpected || Date.now() > deadline) {
        this.#seen.cursor = cursor;
        this.#seen.calls = calls;
        this.#seen.state = point.states.at(-1) ?? this.#seen.state;
        return { point, isExpected };
      }
      await new Promise((resolve) => setTimeout(resolve, POLL));
    }
  }

  /** A query that meets the end of a run may be lost with its workflow task: it is asked again. */
  async #query<TResult>(name: string, ...args: unknown[]): Promise<TResult> {
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const patience = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), PATIENCE);
      });
      const asked = this.#handle.query<TResult>(name, ...args).then((result) => ({ result }));
      const answered = await Promise.race([asked, patience]);
      clearTimeout(timer);
      if (answered !== undefined) return answered.result;
      asked.catch(() => undefined);
    }
  }

  async #look(step: string): Promise<{ point: ScenarioPoint; cursor: number; calls: number }> {
    const view = await this.#view();
    const changes = await this.#query<ChangesView>(MESSAGES.changes, this.#seen.cursor);
    const { calls } = this.#options.scripted;
    const named = (source: string): boolean => source in this.#options.scripted.activities;
    const { output } = view;
    const same = (value: unknown): unknown => comparable(value, this.#workflowId);
    const point: ScenarioPoint = {
      step,
      states: this.#entered(changes.changes),
      state: view.state,
      status: view.status,
      context: same(view.context),
      started: calls.slice(this.#seen.calls).map(({ source, input }) => ({ source, input })),
      running: view.actors.filter(({ src }) => named(src)).map(({ src }) => src),
      delays: view.status === 'active' ? view.delays.length : 0,
      emitted: changes.changes.flatMap((change) => (change.type === 'emitted' ? [same(change.event)] : [])),
      ...(output === undefined ? {} : { output: same(output) }),
    };
    return { point, cursor: changes.cursor, calls: calls.length };
  }

  #entered(changes: readonly Change[]): string[] {
    const states: string[] = [];
    for (const change of changes) {
      const before = states.at(-1) ?? this.#seen.state;
      if (change.type === 'state' && change.state !== before) states.push(change.state);
    }
    return states;
  }

  async #view(): Promise<MachineSnapshotView> {
    return await this.#query<MachineSnapshotView>(MESSAGES.snapshot);
  }
}
