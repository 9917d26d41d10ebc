import { useMemo } from 'react';
import type { Explained } from '../../workflows/explained/read-explained.ts';
import { useExplained } from '../../workflows/explained/use-explained.ts';
import { activeStates } from '../chart/active-states.ts';
import { type Chart, chartOf } from '../chart/chart.ts';
import { type Step, stepsOf } from '../chart/step.ts';

/** A run of a durable actor, as far as it is known now. */
export interface Run {
  readonly explained: Explained | undefined;
  readonly error: Error | null;
  readonly retry: () => unknown;
  /** Undefined where the machine is not known. */
  readonly chart: Chart | undefined;
  /** Of the machine; layouts are kept under it. */
  readonly hash: string;
  readonly steps: readonly Step[];
  /** What is active at the newest moment. */
  readonly activeNow: ReadonlySet<string>;
}

/** A run with all of its macrosteps as a chart shows them. The parameters are those of `useExplained`. */
export function useRun(workflowId: string, runId: string | undefined, newest?: number): Run {
  const { explained: data, error, retry } = useExplained(workflowId, runId, newest);
  const definition = data?.definition ?? undefined;
  const hash = data?.machine?.hash ?? '';
  const chart = useMemo(
    () => (definition === undefined ? undefined : chartOf(definition)),
    [hash, definition === undefined],
  );
  const steps = useMemo(() => (data === undefined ? [] : stepsOf(data)), [data]);
  const value = steps.at(-1)?.snapshot.value ?? snapshotOf(data)?.value;
  const activeNow = useMemo(
    () => (chart === undefined ? new Set<string>() : activeStates(chart, value)),
    [chart, JSON.stringify(value)],
  );
  return { explained: data, error, retry, chart, hash, steps, activeNow };
}

/** What the query `snapshot` answers where this server does not know the machine. */
export const snapshotOf = (
  explained: Explained | undefined,
): { readonly value?: unknown; readonly context?: unknown } | undefined =>
  (explained?.queries?.snapshot ?? undefined) as { readonly value?: unknown } | undefined;
