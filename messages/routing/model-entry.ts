import { z } from 'zod';
import { contextCare } from '../schema/request-fields.ts';
import { priceEntry } from './price.ts';
import { routeTools } from './route-tools.ts';

const NAME = /^[^\s*]{1,256}$/;
const name = z.string().regex(NAME, 'expected a name without spaces and stars, at most 256 characters');
const count = z.int().min(1);

/** One entry of `models` in the providers file. */
export const modelEntry = z.strictObject({
  model: z
    .string()
    .regex(/^[^\s*]{0,256}\*?$/, 'expected a name, or the beginning of names with * behind it')
    .min(1),
  provider: z.string(),
  /** A star stands for the same text as the star of `model`. */
  upstream_model: z
    .string()
    .regex(/^[^\s*]*\*?[^\s*]*$/, 'expected a name without spaces and with one star at most')
    .min(1)
    .optional(),
  aliases: z.array(name).optional(),
  tools: routeTools.optional(),
  context: contextCare.optional(),
  image_limits: z.strictObject({ long_edge: z.int().min(64), tokens: z.int().min(64) }).optional(),
  /** The file to which requests to the model and their replies are recorded for the `replay` provider. */
  record: z.string().min(1).optional(),
  display_name: z.string().min(1).max(256).optional(),
  created_at: z.iso.datetime({ offset: true, error: 'expected a time as RFC 3339, quoted' }).optional(),
  max_input_tokens: count.optional(),
  max_tokens: count.optional(),
  /** By a million tokens. */
  price: priceEntry.optional(),
});

export type ModelEntry = z.infer<typeof modelEntry>;
