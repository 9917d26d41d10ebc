import { z } from 'zod';

const forms = new WeakMap<z.ZodType, z.ZodType>();

/**
 * Notes what a schema accepts that decides in a function, where zod cannot see it. Checks nothing: descriptions of the API
 * are made from it.
 */
export function accepting<T extends z.ZodType>(schema: T, form: z.ZodType): T {
  forms.set(schema, form);
  return schema;
}

/** What was noted of a schema; undefined for those that zod can describe by itself. */
export function acceptedForm(schema: unknown): z.ZodType | undefined {
  return schema instanceof z.ZodType ? forms.get(schema) : undefined;
}

/** Any one of these. */
export function anyOf(schemas: readonly z.ZodType[]): z.ZodType {
  const [first, ...rest] = schemas;
  if (first === undefined) return z.never();
  return rest.length === 0 ? first : z.union([first, ...rest]);
}
