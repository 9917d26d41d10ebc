import { z } from 'zod';
import { ApiError } from '@steadyhand/contracts';
import type { ModelCatalog, ProviderStatus } from '@steadyhand/messages';
import { type Scrub, scrubOf } from '../http/scrub.ts';
import { named } from '../routing/components.ts';
import { routesOf } from '../routing/route.ts';
import { count, maybeTime, time } from '../routing/shapes.ts';

/** The time that a provider has to answer a check. */
const CHECK_MS = 5000;

const tokens = z.object({ input: count, output: count, cache_write: count, cache_read: count });
const ms = z.number().nullable();
const amount = z.number().describe('By a million tokens');

const modelPrice = z.object({
  currency: z.string().describe('By ISO 4217'),
  input: amount,
  output: amount,
  cache_write: amount,
  cache_read: amount,
});

const modelProvider = z.object({
  type: z.literal('model_provider'),
  name: z.string().describe('As the configuration calls it'),
  kind: z.string().nullable().describe('The `type` in the providers file'),
  address: z.string().nullable().describe('Without credentials; null for an official address and for none'),
  key: z.enum(['set', 'none', 'missing']).describe('`missing`: it needs one'),
  state: z
    .enum(['ok', 'limited', 'failing', 'unknown', 'off'])
    .describe(
      'By the newest exchange: `limited`: it asks for less or later; `failing`: it is not reached, or refuses its key; ' +
        '`unknown`: it was not asked yet; `off`: it cannot be asked',
    ),
  reason: z.string().nullable(),
  waiting_until: maybeTime.describe('Until when it asks to be left alone'),
  last_contact_at: maybeTime,
  checkable: z.boolean().describe('Whether it can be checked without asking a model'),
  requests: count,
  failed: count,
  cancelled: count.describe('Requests whose client left'),
  under_way: count,
  tokens,
  latency: z
    .object({
      samples: count,
      p50_ms: ms,
      p95_ms: ms,
      first_token_p50_ms: ms,
      first_token_p95_ms: ms,
    })
    .describe('Of the newest 200 replies; the first tokens are those of streams'),
  errors: z
    .array(z.object({ at: time, type: z.string(), message: z.string(), model: z.string().nullable() }))
    .describe('The newest ten, newest first'),
  models: z.array(
    z.object({
      position: count.describe('In the routing table, where the first that fits a name decides'),
      model: z.string(),
      pattern: z.boolean().describe('The beginning of names, with a star behind it'),
      aliases: z.array(z.string()),
      display_name: z.string().nullable(),
      price: modelPrice.nullable().describe('As the providers file says'),
    }),
  ),
  used: z
    .array(z.object({ model: z.string(), requests: count, failed: count, tokens }))
    .describe('By the names that clients used'),
});

const modelProviders = z.object({
  since: time.describe('Since when this process counts'),
  data: z.array(modelProvider),
});

named({ modelProvider, modelPrice });

const route = routesOf<{ readonly catalog: ModelCatalog }>()('Models', { name: 'A provider’s name' });

/** The routes that tell where models' replies come from, and how that goes. */
export const providerRoutes = [
  route('GET /v1/providers', 'listModelProviders', 'List the providers of models', {
    description:
      'Each with its state, what it was asked and the models it serves. The figures are of this process alone, in memory, ' +
      'since it started: a worker of its own counts for itself.',
    answer: modelProviders,
    handle: ({ catalog }, { res }) => ({
      since: new Date(performance.timeOrigin).toISOString(),
      data: catalog.providers().map((status) => viewOf(status, scrubOf(res))),
    }),
  }),
  route('POST /v1/providers/{name}/check', 'checkModelProvider', 'Check whether a provider answers', {
    description: 'Asks it for its list of models, which costs nothing, and answers its state then.',
    answer: modelProvider,
    handle: async ({ catalog }, { params: { name }, res }) => {
      const known = (): ProviderStatus | undefined => catalog.providers().find((each) => each.name === name);
      if (known() === undefined) throw new ApiError('not_found_error', `Provider not found: ${name}`);
      if (!(await catalog.check(name, AbortSignal.timeout(CHECK_MS)))) {
        throw new ApiError('invalid_request_error', `The provider ${name} has no list of models to ask for`);
      }
      return viewOf(known() as ProviderStatus, scrubOf(res));
    },
  }),
];

/** Texts of errors are the upstream's, so secrets are taken out of them. */
function viewOf(status: ProviderStatus, scrub: Scrub): z.output<typeof modelProvider> {
  const at = (moment: number | null): string | null =>
    moment === null ? null : new Date(moment).toISOString();
  const { reason, waiting_until, last_contact_at, errors, models, used, ...rest } = status;
  return {
    type: 'model_provider',
    ...rest,
    reason: reason === null ? null : scrub(reason),
    waiting_until: at(waiting_until),
    last_contact_at: at(last_contact_at),
    errors: errors.map((error) => ({
      ...error,
      at: new Date(error.at).toISOString(),
      message: scrub(error.message),
    })),
    models: models.map((model) => ({ ...model, aliases: [...model.aliases] })),
    used: [...used],
  };
}
