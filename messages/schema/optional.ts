import { z } from 'zod';

/** A field that may be left out. */
export const optional = z.exactOptional;

/** A field that may be left out, or be null for its default. */
export function nullish<T extends z.ZodType>(schema: T): z.ZodExactOptional<z.ZodNullable<T>> {
  return z.exactOptional(z.nullable(schema));
}
