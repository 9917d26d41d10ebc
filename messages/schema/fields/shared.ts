import { z } from 'zod';
import { withOmittable } from './optional.ts';
import { tagged } from './tagged.ts';
import { accepting } from './accepted-form.ts';
import { isRecord } from '../../api/is-record.ts';

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

/**
 * Accepts any object and keeps it as it is, without a copy, so that no key is lost.
 *
 * @param told the message for any other value
 */
export function anyObject(told = 'Input should be a valid dictionary'): z.ZodType<Record<string, unknown>> {
  return accepting(z.custom<Record<string, unknown>>(isRecord, told), z.record(z.string(), z.unknown()));
}

/** A cache breakpoint: everything before it may be cached, for five minutes by default. */
export const cacheControl = tagged<{ type: 'ephemeral'; ttl?: '5m' | '1h' }>(
  {
    ephemeral: withOmittable({ type: z.literal('ephemeral') }, { ttl: z.enum(['5m', '1h']) }),
  },
  { inPath: () => false },
);

/** The fields that every tool may have beside its definition. */
export const sharedToolFields = {
  cache_control: z.exactOptional(z.nullable(cacheControl)),
  allowed_callers: z.exactOptional(
    z.array(
      z.enum(['direct', 'code_execution_20250825', 'code_execution_20260120', 'code_execution_20260521']),
    ),
  ),
  defer_loading: z.exactOptional(z.boolean()),
  input_examples: z.exactOptional(z.array(anyObject())),
  strict: z.exactOptional(z.boolean()),
};
