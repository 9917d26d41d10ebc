import { z } from 'zod';

const forms = new WeakMap<z.ZodType, z.ZodType>();

/**
 * Records what a schema accepts whose decision is hidden from zod in a function. The record checks nothing; the
 * descriptions of the API are made from it.
 */
export function accepting<T extends z.ZodType>(schema: T, form: z.ZodType): T {
  forms.set(schema, form);
  return schema;
}

/** The recorded form of a schema; undefined for a schema that zod can describe by itself. */
export function acceptedForm(schema: unknown): z.ZodType | undefined {
  return schema instanceof z.ZodType ? forms.get(schema) : undefined;
}

/** A schema that accepts what any of these accepts. */
export function anyOf(schemas: readonly z.ZodType[]): z.ZodType {
  const [first, ...rest] = schemas;
  if (first === undefined) return z.never();
  return rest.length === 0 ? first : z.union([first, ...rest]);
}
