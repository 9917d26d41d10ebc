import { z } from 'zod';
import { withOmittable } from './optional.ts';
import { tagged } from './tagged.ts';

/** A cache breakpoint: everything before it may be cached, for five minutes by default. */
export const cacheControl = tagged<{ type: 'ephemeral'; ttl?: '5m' | '1h' }>(
  {
    ephemeral: withOmittable({ type: z.literal('ephemeral') }, { ttl: z.enum(['5m', '1h']) }),
  },
  { inPath: () => false },
);
