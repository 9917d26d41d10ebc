import { timeOf } from '../turns/event-types.ts';
import type { Row, Turns } from '../turns/rows.ts';
import type { Screenshot } from './screenshots.ts';

/** What somebody may want to jump to. */
export const LANDMARKS = ['error', 'approval', 'takeover'] as const;
export type Landmark = (typeof LANDMARKS)[number];

/** A place on the scrubber: one row of the turns, and what the screen showed then. */
export interface Moment {
  /** The event that the address names. */
  readonly id: string;
  readonly row: number;
  /** In milliseconds since the epoch. */
  readonly at: number;
  readonly shot: Screenshot | undefined;
  readonly landmark: Landmark | undefined;
}

/** All moments, in order; each shows the newest picture up to its end. */
export function momentsOf({ rows }: Turns): readonly Moment[] {
  let shot: Screenshot | undefined;
  let at = 0;
  return rows.flatMap((row, index): readonly Moment[] => {
    if (row.kind === 'turn') return [];
    if ('after' in row && row.after !== undefined) shot = row.after;
    const time = startOf(row);
    if (time !== undefined) at = Date.parse(time);
    return [{ id: row.id, row: index, at, shot, landmark: landmarkOf(row) }];
  });
}

function startOf(row: Exclude<Row, { kind: 'turn' }>): string | undefined {
  if ('event' in row) return timeOf(row.event);
  return timeOf(row.kind === 'takeover' ? row.started : row.use);
}

function landmarkOf(row: Row): Landmark | undefined {
  switch (row.kind) {
    case 'error':
      return 'error';
    case 'takeover':
      return 'takeover';
    case 'tool':
      if (row.use.evaluated_permission === 'ask') return 'approval';
      return row.result?.is_error === true ? 'error' : undefined;
    case 'custom':
      return row.result?.is_error === true ? 'error' : undefined;
    default:
      return undefined;
  }
}

const TIME = /^\d{4}-\d\d-\d\dT/;

/**
 * The moment of an event: that of its row; undefined for an event that no row shows. A time, as RFC 3339, names the last
 * moment before it.
 */
export function momentAt(
  moments: readonly Moment[],
  { rowOf }: Turns,
  event: string | undefined,
): number | undefined {
  if (event !== undefined && TIME.test(event)) {
    const time = Date.parse(event);
    const last = moments.findLastIndex(({ at }) => at <= time);
    return last === -1 || last === moments.length - 1 ? undefined : last;
  }
  const row = event === undefined ? undefined : rowOf.get(event);
  if (row === undefined) return undefined;
  const found = moments.findIndex((moment) => moment.row === row);
  return found === -1 ? undefined : found;
}

/** The next moment of a kind after (or, with -1, before) one; undefined where there is none. */
export function nextLandmark(
  moments: readonly Moment[],
  from: number,
  landmark: Landmark,
  direction: 1 | -1 = 1,
): number | undefined {
  for (let index = from + direction; index >= 0 && index < moments.length; index += direction) {
    if (moments[index]?.landmark === landmark) return index;
  }
  return undefined;
}

/** A landmark's place on the scrubber. */
export interface Mark {
  readonly landmark: Landmark;
  readonly percent: number;
}

/** The landmarks to draw; those that would cover each other are one. */
export function marksOf(moments: readonly Moment[]): readonly Mark[] {
  const last = Math.max(1, moments.length - 1);
  const marks = new Map<string, Mark>();
  for (const [place, { landmark }] of moments.entries()) {
    if (landmark === undefined) continue;
    const percent = Math.round((place / last) * 400) / 4;
    marks.set(`${landmark} ${percent}`, { landmark, percent });
  }
  return [...marks.values()];
}
