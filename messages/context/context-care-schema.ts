import { z } from 'zod';
import { integer } from '../schema/integer.ts';
import type { ContextCare } from './context-care.ts';

/** `context_care` of a request, of an agent, or of a route in the providers file. */
export const contextCare: z.ZodType<ContextCare> = z.strictObject({
  keep_screenshots: z.exactOptional(integer(1).nullable()),
  cache_breakpoints: z.exactOptional(z.enum(['auto', 'off'])),
  fit_images: z.exactOptional(z.boolean()),
});
