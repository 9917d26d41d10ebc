import type { Step } from '../../statechart/chart/step.ts';
import type { Moment } from '../time/moments.ts';
import type { Row } from '../turns/rows.ts';

/**
 * For each moment of a session the macrostep at which its machine stood then. A tool use is at the step in which its tool
 * runs, which the machine's context names; everything else at the step that followed from it. Steps count from 1; 0 where
 * there are none.
 */
export function stepsOfMoments(
  moments: readonly Moment[],
  rows: readonly Row[],
  steps: readonly Step[],
): readonly number[] {
  const running = runningSteps(steps);
  let latest = 0;
  let place = 0;
  return moments.map(({ row: index, at }) => {
    const row = rows[index];
    while (place < steps.length - 1 && (steps[place]?.at ?? 0) < at) place += 1;
    const followed = steps[place]?.number ?? 0;
    const step = (row?.kind === 'tool' ? running.get(row.id) : undefined) ?? followed;
    // Time goes on for the machine, too, even where the clocks of log and engine differ by a little.
    latest = Math.max(latest, step);
    return latest;
  });
}

/** The last moment at or before a macrostep; 0 for steps before the first. */
export function momentOfStep(ofMoments: readonly number[], step: number): number {
  return Math.max(
    0,
    ofMoments.findLastIndex((number) => number <= step),
  );
}

/** For each tool use, by its event's id, the first step in which it is the one that is performed. */
function runningSteps(steps: readonly Step[]): ReadonlyMap<string, number> {
  const found = new Map<string, { readonly number: number; readonly runs: boolean }>();
  for (const { number, snapshot } of steps) {
    const call = firstCall(snapshot.context);
    if (call === undefined) continue;
    const runs = stateName(snapshot.value) === 'tool_use';
    const before = found.get(call);
    if (before === undefined || (runs && !before.runs)) found.set(call, { number, runs });
  }
  return new Map([...found].map(([call, { number }]) => [call, number]));
}

function firstCall(context: unknown): string | undefined {
  const queue = (context as { queue?: readonly { id?: unknown }[] } | null)?.queue;
  const id = Array.isArray(queue) ? (queue[0] as { id?: unknown } | undefined)?.id : undefined;
  return typeof id === 'string' ? id : undefined;
}

function stateName(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'object' && value !== null ? Object.keys(value)[0] : undefined;
}

/** The run of a chain, newest first, that was under way at a time in milliseconds; the oldest for a time before all. */
export function runAt<R extends { readonly start_time: string }>(
  runs: readonly R[],
  at: number,
): R | undefined {
  return runs.find(({ start_time }) => Date.parse(start_time) <= at) ?? runs.at(-1);
}
