import { z } from 'zod';
import { accepting } from './accepted-form.ts';
import { readWith } from './chosen.ts';

/** A field that may be left out. */
export const optional = z.exactOptional;

/** A field that may be left out, or be null for its default. */
export function nullish<T extends z.ZodType>(schema: T): z.ZodExactOptional<z.ZodNullable<T>> {
  return z.exactOptional(z.nullable(schema));
}

type Shape = Readonly<Record<string, z.ZodType>>;
type Output<R extends Shape, O extends Shape> = z.output<z.ZodObject<R, z.core.$strict>> & {
  [K in keyof O]?: z.output<O[K]>;
};

/**
 * An object with fields that may be left out but are never null in the API's types. Clients that dump whole objects,
 * such as Python's `model_dump`, send null for absent fields; the schema removes these.
 */
export function withOmittable<R extends Shape, O extends Shape>(
  fields: R,
  omittable: O,
): z.ZodType<Output<R, O>> {
  const names = Object.keys(omittable);
  const lenient = Object.fromEntries(names.map((name) => [name, nullish(omittable[name] ?? z.never())]));
  const schema = z.strictObject({ ...fields, ...lenient });
  const read = z.transform((value, context): Output<R, O> => {
    const found: Record<string, unknown> = readWith(schema, value, context);
    for (const name of names) if (found[name] === null) Reflect.deleteProperty(found, name);
    return found as Output<R, O>;
  });
  return accepting(read, schema);
}
