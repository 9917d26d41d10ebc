import { z } from 'zod';

const loose = z.record(z.string(), z.unknown());
const run = z.object({ workflow_id: z.string(), run_id: z.string(), step_count: z.int() });

/** Where two runs of a durable actor part. */
export const workflowComparison = z.object({
  type: z.literal('workflow_comparison'),
  left: run,
  right: run,
  common: z.int().describe('How many macrosteps they have in common, from the first one on'),
  by: z
    .enum(['event', 'state', 'context', 'length'])
    .nullable()
    .describe(
      'What differs: what came in, the way taken, the context alone, or that one goes on; null: nothing',
    ),
  left_step: loose.nullable().describe('The macrostep by which the left one parts; null where it has none'),
  right_step: loose.nullable(),
  context: z
    .array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown() }))
    .describe('What differs in the context after these steps; `before` is the left one’s'),
});
export type WorkflowComparison = z.output<typeof workflowComparison>;
