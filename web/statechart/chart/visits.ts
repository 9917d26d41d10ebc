import { activeStates } from './active-states.ts';
import type { Chart } from './chart.ts';
import type { Step, TakenTransition } from './step.ts';

/** How often each state was entered and each transition was taken. */
export interface Visits {
  readonly states: ReadonlyMap<string, number>;
  readonly transitions: ReadonlyMap<string, number>;
}

/** Counts over steps from the first one on. */
export const visitsOf = (chart: Chart, steps: readonly Step[]): Visits =>
  new VisitCounts(chart).at(steps, steps.length);

/** So many steps lie between two counts that are kept. */
const APART = 250;

interface Count extends Visits {
  readonly states: Map<string, number>;
  readonly transitions: Map<string, number>;
  /** What was active after the last of the steps, and that step. */
  readonly active: ReadonlySet<string>;
  readonly last: Step | undefined;
}

const NOTHING: Count = { states: new Map(), transitions: new Map(), active: new Set(), last: undefined };

/** Counts at one moment after another of a long run: what was counted on the way to one serves for the next. */
export class VisitCounts {
  readonly #chart: Chart;
  /** After no step, after 250, after 500 and so on. */
  readonly #kept: Count[] = [NOTHING];

  constructor(chart: Chart) {
    this.#chart = chart;
  }

  /** Over so many of the steps, from the first one on. */
  at(steps: readonly Step[], number: number): Visits {
    let place = Math.min(Math.floor(number / APART), this.#kept.length - 1);
    // What another run has counted is of no use.
    while (place > 0 && this.#kept[place]?.last !== steps[place * APART - 1]) place -= 1;
    for (;;) {
      const next = Math.min((place + 1) * APART, number);
      const count = this.#counted(this.#kept[place] ?? NOTHING, steps.slice(place * APART, next));
      if (next === number) return count;
      place += 1;
      this.#kept[place] = count;
    }
  }

  #counted({ states: s, transitions: t, active, last }: Count, steps: readonly Step[]): Count {
    const chart = this.#chart;
    const states = new Map(s);
    const transitions = new Map(t);
    let before = active;
    for (const step of steps) {
      const after = activeStates(chart, step.snapshot.value);
      // One that is passed through in the same step is only seen as the target of a transition.
      const targets = step.transitions.filter(isOwn).flatMap(({ targets: ids }) => ids);
      const entered = new Set([...[...after].filter((id) => !before.has(id)), ...targets]);
      for (const id of entered) states.set(id, (states.get(id) ?? 0) + 1);
      for (const id of takenIn(chart, step)) transitions.set(id, (transitions.get(id) ?? 0) + 1);
      before = after;
    }
    return { states, transitions, active: before, last: steps.at(-1) ?? last };
  }
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
