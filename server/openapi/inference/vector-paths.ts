import { z } from 'zod';
import type { Components } from '../components.ts';
import { componentRef, type Paths, queryParameter, type Schema } from '../document.ts';
import { MAX_PICTURE_PIXELS } from '../../inference/vector-request.ts';
import { FORMATS } from '../../inference/vector-image.ts';
import { operationId } from './fastapi.ts';
import { described } from './operations.ts';

const PATH = '/vector_image';

const side = z.int().min(1).max(16_384);

const look = {
  width: z.exactOptional(side.describe('Default: found from the number of values')),
  height: z.exactOptional(side),
  channels: z.exactOptional(z.union([z.literal(1), z.literal(3)])),
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

export const vector = z.array(z.number());
export const vectorValues = z.looseObject({ values: vector, ...look });
export const vectorBase64 = z.looseObject({
  data_base64: z.string().describe('float32, little endian'),
  ...look,
});
export const vectorDetections = z
  .looseObject({ detections: z.array(drawnDetection), width: side, height: side })
  .describe(`Boxes on white; at most ${MAX_PICTURE_PIXELS} pixels`);

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

export const VECTOR_BODY = `Body_${operationId('vector_image', PATH, 'post')}`;

export const VECTOR_BODY_SCHEMA: Schema = {
  properties: {
    file: { type: 'string', contentMediaType: 'application/octet-stream', title: 'File' },
    detections: {
      type: 'string',
      contentMediaType: 'application/json',
      title: 'Detections',
      description:
        'A list of detections, or a whole answer of `/analyze`; without them the image comes back in another format',
    },
  },
  type: 'object',
  required: ['file'],
  title: VECTOR_BODY,
};

export function vectorPaths(components: Components): Paths {
  return {
    [PATH]: {
      post: described('vector_image', PATH, 'post', {
        tag: 'Analyze',
        description:
          'A vector as a picture: numbers as pixels, detections as boxes on white, or, as a form, detections over an image.',
        parameters: [
          queryParameter('format', { type: 'string', enum: FORMATS, default: FORMATS[0], title: 'Format' }),
        ],
        body: {
          'application/json': {
            schema: {
              anyOf: [vector, vectorValues, vectorBase64, vectorDetections].map((form) =>
                components.of(form),
              ),
            },
            examples: EXAMPLES,
          },
          'multipart/form-data': { schema: componentRef(VECTOR_BODY) },
        },
        answer: {
          description: 'Successful Response',
          content: Object.fromEntries(FORMATS.map((format) => [`image/${format}`, {}])),
        },
        errors: {
          400: 'no image that can be decoded, or no form',
          408: 'the body did not arrive in time',
          413: 'too many bytes, or too many pixels',
          415: 'an image format that is not allowed',
          422: undefined,
          503: 'too many uploads are under way',
        },
      }),
    },
  };
}
