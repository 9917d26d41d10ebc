import { z } from 'zod';
import { TOOL_SETS, type ToolGenerations } from '../tools/generations.ts';

/** With `as_listed` the model gets the tools that the client lists. */
export type RouteTools = ToolGenerations | 'as_listed';

const EXPECTED = `expected ${Object.keys(TOOL_SETS).join(', ')}, as_listed, or {computer, editor, bash}`;

const named = z
  .union([z.string(), z.number()], { error: EXPECTED })
  .refine((name) => name === 'as_listed' || Object.hasOwn(TOOL_SETS, String(name)), { error: EXPECTED })
  .transform((name): RouteTools =>
    name === 'as_listed' ? name : TOOL_SETS[String(name) as keyof typeof TOOL_SETS],
  );

const listed = z.strictObject({
  computer: z.enum([
    'computer_20241022',
    'computer_20250124',
    'computer_20251124',
    'computer_toolset_20260801',
  ]),
  editor: z.enum([
    'text_editor_20241022',
    'text_editor_20250124',
    'text_editor_20250429',
    'text_editor_20250728',
  ]),
  bash: z.enum(['bash_20241022', 'bash_20250124']),
}) satisfies z.ZodType<ToolGenerations>;

/**
 * The schema of a route's `tools`: the name of a set, which YAML may read as a number, or a generation of each tool.
 */
export const routeTools: z.ZodType<RouteTools> = z.unknown().transform((value, context): RouteTools => {
  const schema = typeof value === 'object' && value !== null ? listed : named;
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    context.addIssue({ ...issue } as Parameters<typeof context.addIssue>[0]);
  }
  return z.NEVER;
});
