import { z } from 'zod';
import { type Components, named } from '../routing/components.ts';
import { form } from '../routing/shapes.ts';
import type { Content } from '../routing/document.ts';

/** What `/vector_image` takes, as it is described; `vector-request.ts` reads it, in FastAPI's words. */

/** Of a picture that is made from nothing, in all. */
export const MAX_PICTURE_PIXELS = 16_777_216;
export const MAX_SIDE = 16_384;
const side = z.int().min(1).max(MAX_SIDE);

/** How a vector's values become a picture. */
export const look = {
  width: z.exactOptional(side.describe('Default: found from the number of values')),
  height: z.exactOptional(side),
  channels: z.exactOptional(z.literal([1, 3])),
  layout: z.exactOptional(z.enum(['chw', 'hwc'])),
  colormap: z.exactOptional(z.enum(['gray', 'viridis'])),
  min: z.exactOptional(z.number().describe('The value drawn darkest; default: the least')),
  max: z.exactOptional(z.number().describe('The value drawn brightest; default: the greatest')),
  scale: z.exactOptional(z.int().min(1).max(64).describe('Pixels a value is wide and high')),
};

const drawnDetection = z.looseObject({
  box: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  label: z.exactOptional(z.string()),
  class_id: z.exactOptional(z.int()),
  score: z.exactOptional(z.number()),
});

const vectorValues = z.looseObject({ values: z.array(z.number()), ...look });
const vectorBase64 = z.looseObject({ data_base64: z.string().describe('float32, little endian'), ...look });
const vectorDetections = z
  .looseObject({ detections: z.array(drawnDetection), width: side, height: side })
  .describe(`Boxes on white; at most ${MAX_PICTURE_PIXELS} pixels`);
const FORMS = [z.array(z.number()), vectorValues, vectorBase64, vectorDetections];

const upload = z.object({
  file: z.string().meta({ contentMediaType: 'application/octet-stream', title: 'File' }),
  detections: z
    .string()
    .meta({ contentMediaType: 'application/json', title: 'Detections' })
    .describe(
      'A list of detections, or a whole answer of `/analyze`; without them the image comes back in another format',
    )
    .optional(),
});

named({ vectorValues, vectorBase64, vectorDetections, Body_vector_image_vector_image_post: upload });

const EXAMPLES = {
  list: { summary: 'A list of numbers', value: [0, 0.25, 0.5, 1] },
  values: {
    summary: 'Numbers of a picture',
    value: { values: [0, 1, 2, 3, 4, 5], width: 3, height: 2, colormap: 'viridis', scale: 32 },
  },
  base64: { summary: 'float32 in base64', value: { data_base64: 'AAAAAAAAgD8AAAA/AACAPg==', width: 2 } },
  detections: {
    summary: 'Boxes on white',
    value: { detections: [{ box: [10, 10, 90, 60], label: 'cat', score: 0.9 }], width: 120, height: 80 },
  },
};

/** JSON. */
export const NUMBERS = (components: Components): Content => ({
  'application/json': { schema: { anyOf: FORMS.map((each) => components.of(each)) }, examples: EXAMPLES },
});

/** A form with an image. */
export const FORM = form('multipart/form-data', upload).content;
