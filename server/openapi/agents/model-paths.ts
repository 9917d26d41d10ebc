import { z } from 'zod';
import type { ModelPage } from '@steadyhand/messages';
import type { Components } from '../components.ts';
import { type Paths, pathParameter, queryParameter } from '../document.ts';
import { answers, describe } from './operations.ts';
import { maybeTime, time } from './shapes.ts';

const tokens = z.int().min(0).nullable();

export const modelInfo: z.ZodType<ModelPage['data'][number]> = z.looseObject({
  id: z.string(),
  type: z.literal('model'),
  display_name: z.string(),
  created_at: time.describe('When it was released; the epoch where nobody knows'),
  lifecycle: z.enum(['active', 'deprecated', 'retired']),
  deprecated_at: maybeTime,
  retires_at: maybeTime,
  line: z.custom<ModelPage['data'][number]['line']>().meta({ type: ['string', 'null'] }),
  capabilities: z
    .custom<ModelPage['data'][number]['capabilities']>()
    .meta({ type: ['object', 'null'] })
    .describe('As the upstream tells them; null where it cannot be asked'),
  max_input_tokens: tokens,
  max_tokens: tokens,
});

const modelPage = z.object({
  data: z.array(modelInfo),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});

/** The routes of the list of models. */
export function modelPaths(components: Components): Paths {
  return {
    '/v1/models': {
      get: describe(components, 'listModels', 'List models', {
        tag: 'Models',
        description:
          'The names that requests may carry: the exact ones of the routing table, and for its patterns what the upstream ' +
          'has, where it can be asked.',
        parameters: [
          queryParameter('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 20 }),
          queryParameter('after_id', { type: 'string' }, 'The `last_id` of the page before'),
          queryParameter('before_id', { type: 'string' }, 'The `first_id` of the page behind'),
          {
            ...queryParameter('lifecycle', {
              type: 'array',
              items: { type: 'string', enum: ['active', 'deprecated', 'retired'] },
              default: ['active', 'deprecated'],
            }),
            style: 'form',
            explode: true,
          },
        ],
        answer: answers(modelPage),
      }),
    },
    '/v1/models/{id}': {
      get: describe(components, 'retrieveModel', 'Retrieve a model by its name or an alias', {
        tag: 'Models',
        parameters: [pathParameter('id', 'A model’s name')],
        answer: answers(modelInfo),
        errors: [404],
      }),
    },
  };
}
