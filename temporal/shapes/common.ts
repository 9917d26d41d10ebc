import { z } from 'zod';

/** What several shapes have in common. */

export const time = z.iso.datetime().describe('RFC 3339, UTC');
export const maybeTime = time.nullable();
export const count = z.int().min(0);

/** One execution of a workflow. */
export const runRef = z.object({ workflow_id: z.string(), run_id: z.string() });
export type RunRef = z.output<typeof runRef>;

/** A list in pages, as all of the agent API. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly next_page: string | null;
}
