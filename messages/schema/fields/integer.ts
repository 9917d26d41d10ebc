import { z } from 'zod';
import { accepting } from './accepted-form.ts';

/** Accepts a whole number from `minimum` on. The error for any other value says that an integer is expected. */
export function integer(minimum: number): z.ZodType<number> {
  const schema = z
    .custom<number>((value) => Number.isSafeInteger(value), {
      error: 'Input should be a valid integer',
      abort: true,
    })
    .refine((value) => value >= minimum, `Input should be greater than or equal to ${minimum}`);
  return accepting(schema, z.int().min(minimum));
}
