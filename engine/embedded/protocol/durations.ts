import type { google } from '@temporalio/proto';
import { invalidArgument } from './rpc-error.ts';
import { toMs, toNumber } from './values.ts';

type Duration = google.protobuf.IDuration | null | undefined;

/** A hundred years, to which longer durations are cut. */
const LONGEST_MS = 100 * 365 * 86_400_000;

/** Says what is wrong with a duration; undefined of one that can be used. */
function durationProblem(value: Duration): string | undefined {
  const seconds = toNumber(value?.seconds);
  const nanos = value?.nanos ?? 0;
  if (seconds * nanos < 0) return 'duration has seconds and nanos with different signs';
  return seconds < 0 || nanos < 0 ? 'negative duration' : undefined;
}

/** Answers a duration in ms; throws what `tell` makes of what is wrong with it. */
export function validMs(value: Duration, tell: (problem: string) => string): number {
  const problem = durationProblem(value);
  if (problem !== undefined) throw invalidArgument(tell(problem));
  return Math.min(toMs(value), LONGEST_MS);
}
