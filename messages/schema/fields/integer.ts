import { z } from 'zod';
import { accepting } from './accepted-form.ts';

/** A whole number from `minimum` on. Anything else, a text or a fraction, is told that an integer is expected. */
export function integer(minimum: number): z.ZodType<number> {
  const schema = z
    .custom<number>((value) => Number.isSafeInteger(value), {
      error: 'Input should be a valid integer',
      abort: true,
    })
    .refine((value) => value >= minimum, `Input should be greater than or equal to ${minimum}`);
  return accepting(schema, z.int().min(minimum));
}
