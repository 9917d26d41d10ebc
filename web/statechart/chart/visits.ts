import { activeStates } from './active-states.ts';
import type { Chart } from './chart.ts';
import type { Step, TakenTransition } from './step.ts';

/** How often each state was entered and each transition was taken. */
export interface Visits {
  readonly states: ReadonlyMap<string, number>;
  readonly transitions: ReadonlyMap<string, number>;
}

/** Counts over steps from the first one on. */
export function visitsOf(chart: Chart, steps: readonly Step[]): Visits {
  const states = new Map<string, number>();
  const transitions = new Map<string, number>();
  let before: ReadonlySet<string> = new Set();
  for (const step of steps) {
    const after = activeStates(chart, step.snapshot.value);
    // One that is passed through in the same step is only seen as the target of a transition.
    const targets = step.transitions.filter(isOwn).flatMap(({ targets: ids }) => ids);
    const entered = new Set([...[...after].filter((id) => !before.has(id)), ...targets]);
    for (const id of entered) states.set(id, (states.get(id) ?? 0) + 1);
    for (const id of takenIn(chart, step)) transitions.set(id, (transitions.get(id) ?? 0) + 1);
    before = after;
  }
  return { states, transitions };
}

/** The chart's transitions that a step has taken, in their order; one that is taken twice stands there twice. */
export function takenIn(chart: Chart, step: Step): readonly string[] {
  return step.transitions.filter(isOwn).flatMap((taken) => {
    const found = chart.transitions.find(
      ({ source, event, guard, targets }) =>
        source === taken.source &&
        event === taken.event &&
        guard === (taken.guard ?? null) &&
        targets.join() === taken.targets.join(),
    );
    return found === undefined ? [] : [found.id];
  });
}

/** Of this machine, not of one inside it. */
const isOwn = ({ actor }: TakenTransition): boolean => actor === '';
