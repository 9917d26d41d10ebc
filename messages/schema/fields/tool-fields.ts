import { z } from 'zod';
import { anyObject } from './any-object.ts';
import { cacheControl } from './cache-control.ts';

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
