import type { Visits } from '../chart/visits.ts';

/** What is said of a chart's states and transitions at one moment. */
export interface Marks {
  readonly active: ReadonlySet<string>;
  /** The transitions of the step that is looked at. */
  readonly taken: ReadonlySet<string>;
  readonly visits: Visits;
  /** The state that somebody has chosen. */
  readonly chosen: string | undefined;
  /** Changes when the last transition is to be shown once more. */
  readonly step: number;
}

/** A line that was taken more often is wider, but never so wide that it hides others. */
export const lineWidth = (count: number): number =>
  count === 0 ? 1.2 : Math.min(4.5, 1.6 + Math.log2(count) * 0.6);
