import { explainHistory, type ExplainOptions } from './history/explain-history.ts';
import type { MachineSource } from './history/machine-source.ts';
import { changesBetween, type ContextChange } from './history/context-diff.ts';
import type { Explanation, Macrostep } from './history/explanation.ts';

/** Where two runs part. */
export interface RunsDiff {
  /** How many macrosteps they have in common, from the first one on. */
  readonly common: number;
  /** What they did next; null for a run that did nothing more. Both are null for runs that are the same. */
  readonly a: Macrostep | null;
  readonly b: Macrostep | null;
  /** What differs: what came in, the way that was taken, or nothing but the context. */
  readonly by: 'event' | 'state' | 'context' | 'length' | null;
  /** From the context of `a` to that of `b`, after the macrosteps in which they part. */
  readonly context: readonly ContextChange[];
}

/**
 * Tells at which macrostep two runs part.
 *
 * @param a A history, as for {@link explainHistory}, or what that has answered.
 * @param ignore Paths in the context that may differ, such as ids and times. Their parts are ignored, too.
 */
export async function diffRuns(
  a: unknown,
  b: unknown,
  source: MachineSource,
  options: ExplainOptions & {
    readonly ignore?: readonly string[];
    /** Is awaited between macrosteps, so that others may have their turn. */
    readonly pause?: () => Promise<void> | undefined;
  } = {},
): Promise<RunsDiff> {
  const { ignore = [], pause } = options;
  const [left, right] = await Promise.all(
    [a, b].map(async (run) => (isExplanation(run) ? run : await explainHistory(run, source, options))),
  );
  const steps = [left?.steps ?? [], right?.steps ?? []] as const;
  const length = Math.max(steps[0].length, steps[1].length);
  for (let index = 0; index < length; index += 1) {
    await pause?.();
    const [one, other] = [steps[0][index] ?? null, steps[1][index] ?? null];
    const context = changesBetween(one?.snapshot.context, other?.snapshot.context).filter(
      ({ path }) => !ignore.some((ignored) => isWithin(path, ignored)),
    );
    const by = differenceOf(one, other, context);
    if (by !== null) return { common: index, a: one, b: other, by, context };
  }
  return { common: length, a: null, b: null, by: null, context: [] };
}

function differenceOf(
  a: Macrostep | null,
  b: Macrostep | null,
  context: readonly ContextChange[],
): RunsDiff['by'] {
  if (a === null || b === null) return 'length';
  if (causeName(a) !== causeName(b)) return 'event';
  if (wayOf(a) !== wayOf(b)) return 'state';
  return context.length > 0 ? 'context' : null;
}

/** What came in, without what two runs never have in common, such as event ids. */
function causeName({ cause }: Macrostep): string {
  switch (cause.type) {
    case 'signal':
    case 'update':
      return `event ${cause.event.type}`;
    case 'done':
    case 'error':
    case 'child state':
      return `${cause.type} ${cause.actor.src} ${cause.actor.id}`;
    case 'delay':
      return `delay ${cause.id}`;
    default:
      return cause.type;
  }
}

const wayOf = ({ to, transitions, snapshot }: Macrostep): string =>
  JSON.stringify([to, snapshot.status, transitions.map(({ source, targets }) => [source, targets])]);

const isWithin = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);

const isExplanation = (value: unknown): value is Explanation =>
  typeof value === 'object' && value !== null && 'steps' in value && 'workflowId' in value;
