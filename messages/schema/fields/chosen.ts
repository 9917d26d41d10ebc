import { z } from 'zod';
import { accepting, anyOf } from './accepted-form.ts';

/**
 * Parses a value with a schema inside a function of another one, which gets the raw issues. Like zod's own unions, it
 * leaves the wording of issues to the end of the parse.
 */
export function readWith<T>(
  schema: z.ZodType<T>,
  value: unknown,
  context: z.core.$RefinementCtx,
  prefix: readonly PropertyKey[] = [],
): T {
  const result = schema._zod.run({ value, issues: [] }, { async: false });
  if (result instanceof Promise) throw new Error('a schema of requests must not wait');
  if (result.issues.length === 0) return result.value as T;
  for (const issue of result.issues) {
    context.issues.push({ ...issue, path: [...prefix, ...(issue.path ?? [])] });
  }
  return z.NEVER;
}

/** Parses a value with the schema that `choose` picks for it, so that errors are about that form alone. */
export function chosen<T>(
  choose: (value: unknown) => z.ZodType<T>,
  forms: readonly z.ZodType<T>[],
): z.ZodType<T> {
  const schema = z.transform((value, context): T => readWith(choose(value), value, context));
  return accepting(schema, anyOf(forms));
}

/** Accepts a text or another form. The error for a value that is neither is about the other form. */
export function textElse<T>(text: z.ZodType<T>, other: z.ZodType<T>): z.ZodType<T> {
  return chosen((value) => (typeof value === 'string' ? text : other), [text, other]);
}
