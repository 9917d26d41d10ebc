import type {
  AnyEventObject,
  AnyMachineSnapshot,
  AnyStateMachine,
  EventFrom,
  InputFrom,
  StateValue,
} from 'xstate';
import { getShortestPaths, getSimplePaths } from 'xstate/graph';
import { statePath } from '../../core/state-path.ts';
import type { Scenario, ScenarioStep, ScenarioTarget } from './scenario.ts';

/** A way through a machine, as a scenario. */
export interface MachinePath<TMachine extends AnyStateMachine> {
  /** Such as `send pay -> resolve charge`. */
  readonly description: string;
  readonly scenario: Scenario<TMachine>;
  /** The states of the path by XState's own model: that of the beginning, and one behind each step. */
  readonly states: readonly string[];
}

export interface PathsOptions<TMachine extends AnyStateMachine> {
  readonly input?: InputFrom<TMachine>;
  /** `shortest` has one path to each state, `simple` every path without a repeated state. Default `shortest`. */
  readonly kind?: 'shortest' | 'simple';
  /**
   * The events that are tried in each state, with payloads. The outcome of an actor is `xstate.done.actor.ID` with `output` or
   * `xstate.error.actor.ID` with `error`. Default: all of the machine by their types.
   */
  readonly events?: readonly AnyEventObject[];
  /** The most transitions that are tried. Default 1,000. */
  readonly limit?: number;
  /** States behind which a path does not go on. */
  readonly stopWhen?: (snapshot: AnyMachineSnapshot) => boolean;
  /** What tells two states apart. Default: state and context. */
  readonly serializeState?: (snapshot: AnyMachineSnapshot) => string;
}

const DEFAULT_LIMIT = 1000;

/** The ways through a machine that `xstate/graph` finds, as scenarios for any target. */
export function pathsOf<TMachine extends AnyStateMachine>(
  machine: TMachine,
  {
    kind = 'shortest',
    input,
    events,
    limit = DEFAULT_LIMIT,
    stopWhen,
    serializeState,
  }: PathsOptions<TMachine> = {},
): readonly MachinePath<TMachine>[] {
  const find = (kind === 'shortest' ? getShortestPaths : getSimplePaths) as unknown as FindPaths;
  const paths = find(machine, {
    limit,
    ...(input === undefined ? {} : { input }),
    ...(events === undefined ? {} : { events }),
    ...(stopWhen === undefined ? {} : { stopWhen }),
    ...(serializeState === undefined ? {} : { serializeState }),
  });
  return paths.map(({ steps }) => {
    const [first, ...rest] = steps;
    const taken = rest.map(({ event }) => stepOf<TMachine>(event));
    return {
      description: rest.length === 0 ? '(start)' : rest.map(({ event }) => event.type).join(' -> '),
      scenario: { ...(input === undefined ? {} : { input }), steps: taken },
      states: [first, ...rest].flatMap((step) =>
        step === undefined ? [] : [statePath(step.state.value as StateValue)],
      ),
    };
  });
}

interface FoundPath {
  readonly steps: readonly { readonly event: AnyEventObject; readonly state: AnyMachineSnapshot }[];
}

type FindPaths = (machine: AnyStateMachine, options: object) => readonly FoundPath[];

/** A target goes another way than XState's model of the machine. */
export class PathError extends Error {
  override readonly name = 'PathError';
}

/**
 * Runs a path on a target and compares the state behind each event with that of XState's model.
 *
 * @throws PathError at the first one that differs.
 */
export async function checkPath<TMachine extends AnyStateMachine>(
  target: ScenarioTarget<TMachine>,
  { description, scenario, states }: MachinePath<TMachine>,
): Promise<void> {
  const points = await target.run(scenario);
  const wrong = states.findIndex((state, index) => points[index]?.state !== state);
  if (wrong < 0) return;
  const point = points[wrong];
  if (point === undefined) {
    const last = points.at(-1);
    throw new PathError(
      `${description}: the run did not go on as expected behind '${last?.step ?? 'start'}', where its state is '${last?.state ?? ''}'`,
    );
  }
  throw new PathError(
    `${description}: behind '${point.step}' the state is '${point.state}', not '${states[wrong] ?? ''}'`,
  );
}

/** XState's model has the outcomes of actors and delays as events; a run gets them from its sources and its clock. */
function stepOf<TMachine extends AnyStateMachine>(event: AnyEventObject): ScenarioStep<TMachine> {
  const { type } = event;
  const done = /^xstate\.done\.actor\.(.+)$/.exec(type);
  if (done?.[1] !== undefined) return { resolve: done[1], output: event['output'] as unknown };
  const failed = /^xstate\.error\.actor\.(.+)$/.exec(type);
  if (failed?.[1] !== undefined) return { reject: failed[1], error: event['error'] as unknown };
  const after = /^xstate\.after\.(\d+)\./.exec(type);
  if (after?.[1] !== undefined) return { pass: Number(after[1]) };
  return { send: event as EventFrom<TMachine> };
}
