import type { EventGroup } from '../history/groups.ts';

/** A group as a bar, in pixels from the beginning of the run. */
export interface Bar {
  readonly group: EventGroup;
  readonly lane: number;
  readonly x: number;
  readonly width: number;
  /** Where the work on it began; what is before that was waiting. */
  readonly takenX: number;
}

export interface LaneLayout {
  readonly bars: readonly Bar[];
  readonly lanes: number;
  /** There is room for names beside the bars. */
  readonly labelled: boolean;
}

interface LaneOptions {
  /** The moment at x 0. */
  readonly origin: number;
  /** Pixels for a millisecond. */
  readonly scale: number;
  /** Where what goes on ends. */
  readonly now: number;
  /** The width of a group's name, in pixels. */
  readonly labelWidth: (group: EventGroup) => number;
}

const NARROWEST = 3;
const GAP = 4;
/** With more lanes than this, names are left out. */
const LABELLED_LANES = 36;

/**
 * Puts bars that overlap in different lanes: each in the first that is free. How much is in view plays no part, so that bars
 * stay in their lanes while the view moves.
 */
export function layLanes(groups: readonly EventGroup[], options: LaneOptions): LaneLayout {
  const sorted = groups.toSorted((a, b) => a.start - b.start || a.id - b.id);
  return lay(sorted, options, true) ?? lay(sorted, options, false) ?? { bars: [], lanes: 0, labelled: false };
}

/** Undefined where names would take too many lanes. */
function lay(
  groups: readonly EventGroup[],
  { origin, scale, now, labelWidth }: LaneOptions,
  labelled: boolean,
): LaneLayout | undefined {
  const ends: number[] = [];
  const bars: Bar[] = [];
  for (const group of groups) {
    const x = (group.start - origin) * scale;
    const width = Math.max(NARROWEST, ((group.end ?? Math.max(now, group.start)) - group.start) * scale);
    const name = labelled ? labelWidth(group) + 2 * GAP : 0;
    const end = x + (name <= width ? width : width + name) + GAP;
    let lane = ends.findIndex((free) => free <= x);
    if (lane < 0) lane = ends.length;
    if (labelled && lane >= LABELLED_LANES) return undefined;
    ends[lane] = end;
    bars.push({ group, lane, x, width, takenX: ((group.taken ?? group.start) - origin) * scale });
  }
  return { bars, lanes: ends.length, labelled };
}

/** The bar at a place, or the nearest within a few pixels in its lane. */
export function barAt(layout: LaneLayout, x: number, lane: number, reach: number): Bar | undefined {
  let found: Bar | undefined;
  let nearest = reach;
  for (const bar of layout.bars) {
    if (bar.lane !== lane) continue;
    const distance = x < bar.x ? bar.x - x : Math.max(0, x - bar.x - bar.width);
    if (distance <= nearest) {
      nearest = distance;
      found = bar;
    }
  }
  return found;
}
