import type { ModelWorkerOptions } from '../model-worker.ts';

/** What a process for a trial is told to try. */
export interface TrialOrder {
  readonly workerFile: string;
  readonly setup: ModelWorkerOptions['setup'];
  /** Milliseconds for loading the model and running it once. */
  readonly limitMs: number;
  /** MiB that the process may hold; null: any. */
  readonly memoryMib: number | null;
}

/**
 * What came of it. `refused`: the model is to blame, and will be until its files change; `failed`: something else is, and
 * another attempt may fare better.
 */
export type TrialVerdict =
  | { readonly type: 'passed' }
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'failed'; readonly reason: string };
