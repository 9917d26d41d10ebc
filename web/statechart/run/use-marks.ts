import { useMemo, useState } from 'react';
import { activeStates } from '../chart/active-states.ts';
import type { Chart } from '../chart/chart.ts';
import type { Step } from '../chart/step.ts';
import { takenIn, VisitCounts } from '../chart/visits.ts';
import type { Marks } from '../drawing/marks.ts';

/** What is said of the chart at a step: what is active after it, what it has taken, and how often everything was until then. */
export function useMarks(
  chart: Chart,
  steps: readonly Step[],
  number: number,
  activeNow: ReadonlySet<string>,
): { readonly marks: Marks; readonly choose: (id: string) => void } {
  const [chosen, choose] = useState<string>();
  const counts = useMemo(() => new VisitCounts(chart), [chart]);
  const marks = useMemo((): Marks => {
    const step = steps[number - 1];
    return {
      active: step === undefined ? activeNow : activeStates(chart, step.snapshot.value),
      taken: new Set(step === undefined ? [] : takenIn(chart, step)),
      visits: counts.at(steps, number),
      chosen,
      step: number,
    };
  }, [chart, counts, steps, number, activeNow, chosen]);
  return { marks, choose };
}

/** Which states are folded: a person's affair, kept while the page shows this machine. */
export function useFolded(): {
  readonly folded: ReadonlySet<string>;
  readonly fold: (id: string, isFolded: boolean) => void;
} {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const fold = (id: string, isFolded: boolean): void =>
    setFolded((before) => new Set(isFolded ? [...before, id] : [...before].filter((other) => other !== id)));
  return { folded, fold };
}
