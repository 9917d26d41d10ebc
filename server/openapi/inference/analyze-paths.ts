import { DECODES, ENCODINGS, MAX_RESULTS, OUTPUTS } from '../../inference/analyze-request.ts';
import type { Components } from '../components.ts';
import { componentRef, type Parameter, type Paths, queryParameter, type Schema } from '../document.ts';
import { operationId } from './fastapi.ts';
import { described, jsonAnswer } from './operations.ts';
import { analysis, modelCard } from './shapes.ts';

const TAG = 'Analyze';

export const model = queryParameter(
  'model',
  { type: 'string', title: 'Model' },
  'A model’s name; default: the configured one, `ocr` unless told otherwise',
);

function choice(name: string, title: string, values: readonly string[], description: string): Parameter {
  return queryParameter(name, { type: 'string', enum: values, default: values[0], title }, description);
}

const share = { type: 'number', minimum: 0, maximum: 1 };
const positive = { type: 'integer', minimum: 1 };

const FILTERS = [
  queryParameter('score', { ...share, title: 'Score' }, 'Only results of at least this score'),
  queryParameter('iou', { ...share, title: 'Iou' }, 'Boxes of one class that overlap by more are one'),
  {
    ...queryParameter(
      'classes',
      { type: 'array', items: { type: 'string' }, title: 'Classes' },
      'Only these classes, by index or label; repeated, or with commas between them',
    ),
    style: 'form',
    explode: true,
  },
  queryParameter('max', { ...positive, maximum: MAX_RESULTS, title: 'Max' }, 'At most so many results'),
] as const satisfies readonly Parameter[];

const ANALYZE_QUERY = [
  model,
  choice('output', 'Output', OUTPUTS, 'What the model’s task means, its tensors, or the tensors’ figures'),
  choice('encoding', 'Encoding', ENCODINGS, 'How tensors stand in the answer'),
  ...FILTERS,
  choice(
    'decode',
    'Decode',
    DECODES,
    '`shrink`: large JPEGs are reduced while they are read; faster, not exact',
  ),
  queryParameter(
    'timeout_ms',
    { ...positive, title: 'Timeout Ms' },
    'For everything; bounded by the server’s own',
  ),
];

export const ANALYZE_BODY = `Body_${operationId('analyze', '/analyze', 'post')}`;

/** FastAPI's schema of a form with one file. */
export const ANALYZE_BODY_SCHEMA: Schema = {
  properties: { file: { type: 'string', contentMediaType: 'application/octet-stream', title: 'File' } },
  type: 'object',
  required: ['file'],
  title: ANALYZE_BODY,
};

export function analyzePaths(components: Components): Paths {
  return {
    '/analyze': {
      get: described('model_card', '/analyze', 'get', {
        tag: TAG,
        description: 'What a model is and how it is asked.',
        parameters: [model],
        answer: jsonAnswer(components, modelCard),
        errors: { 404: 'no such model', 422: undefined },
      }),
      post: described('analyze', '/analyze', 'post', {
        tag: TAG,
        description: 'An image file in, what a model sees on it out. Boxes are in pixels of the image.',
        parameters: ANALYZE_QUERY,
        body: { 'multipart/form-data': { schema: componentRef(ANALYZE_BODY) } },
        answer: jsonAnswer(components, analysis),
        errors: {
          400: 'no image that can be decoded, or no form',
          404: 'no such model',
          408: 'the body did not arrive in time',
          413: 'too many bytes, or too many pixels',
          415: 'an image format that is not allowed',
          422: undefined,
          500: 'the runtime refused to run the model',
          503: 'too many requests wait, the time ran out, or the model does not serve',
        },
      }),
    },
  };
}
