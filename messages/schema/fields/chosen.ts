import { z } from 'zod';
import { accepting, anyOf } from './accepted-form.ts';

/**
 * Reads a value with one schema inside a function of another, which gets its issues as they are. As zod's own unions do it:
 * the issues are worded once, at the end, and only where there are some.
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

/** One of several forms, told apart by a look at the value: an error is about the form that was chosen. */
export function chosen<T>(
  choose: (value: unknown) => z.ZodType<T>,
  forms: readonly z.ZodType<T>[],
): z.ZodType<T> {
  const schema = z.transform((value, context): T => readWith(choose(value), value, context));
  return accepting(schema, anyOf(forms));
}

/** A text, or something else: what is neither is told what the other should be. */
export function textElse<T>(text: z.ZodType<T>, other: z.ZodType<T>): z.ZodType<T> {
  return chosen((value) => (typeof value === 'string' ? text : other), [text, other]);
}
