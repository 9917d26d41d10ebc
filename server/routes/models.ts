import { z } from 'zod';
import { type createModelList, modelPage, type ModelPage } from '@steadyhand/messages';
import { afterId, beforeId, limit } from '@steadyhand/sessions';
import { named } from '../routing/components.ts';
import { routesOf } from '../routing/route.ts';
import { count, idPageOf, maybeTime, time } from '../routing/shapes.ts';

type ModelInfo = ModelPage['data'][number];

const lifecycle = z.enum(['active', 'deprecated', 'retired']);

const modelInfo: z.ZodType<ModelInfo> = z.looseObject({
  id: z.string(),
  type: z.literal('model'),
  display_name: z.string(),
  created_at: time.describe('When it was released; the epoch where nobody knows'),
  lifecycle,
  deprecated_at: maybeTime,
  retires_at: maybeTime,
  line: z.custom<ModelInfo['line']>().meta({ type: ['string', 'null'] }),
  capabilities: z
    .custom<ModelInfo['capabilities']>()
    .meta({ type: ['object', 'null'] })
    .describe('As the upstream tells them; null where it cannot be asked'),
  max_input_tokens: count.nullable(),
  max_tokens: count.nullable(),
});

named({ modelInfo });

const route = routesOf<{ readonly models: ReturnType<typeof createModelList> }>()('Models', {
  id: 'A model’s name',
});

/** The routes of `/v1/models`, as in the Messages API. */
export const modelRoutes = [
  route('GET /v1/models', 'listModels', 'List models', {
    description:
      'The names that requests may carry: the exact ones of the routing table, and for its patterns what the upstream ' +
      'has, where it can be asked.',
    query: {
      limit: limit(20),
      after_id: afterId,
      before_id: beforeId,
      lifecycle: z.array(lifecycle).default(['active', 'deprecated']),
    },
    answer: idPageOf(modelInfo),
    handle: async ({ models }, { search }) => modelPage(await models.all(), search),
  }),
  route('GET /v1/models/{id}', 'retrieveModel', 'Retrieve a model by its name or an alias', {
    answer: modelInfo,
    handle: ({ models }, { params }) => models.retrieve(params.id),
  }),
];
