import { z } from 'zod';
import { BATCH_BODY_BYTES } from '@steadyhand/batches';
import { FILE_LIMIT_BYTES } from '@steadyhand/sessions';
import { type ClientKey, clientOf, DEFAULT_KEY_NAME } from '../auth/client-key.ts';
import { WORKFLOW_ACCESS, workflowAccessOf } from '../auth/workflow-access.ts';
import { BODY_LIMIT_BYTES } from '../body/read-json.ts';
import { limiterOf } from '../limits/limited.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import { named } from '../routing/components.ts';
import { type DeepReadonly, routesOf } from '../routing/route.ts';
import { count, maybeTime } from '../routing/shapes.ts';

const serverLimit = z.object({
  name: z.string().describe('What is limited'),
  setting: z.string().nullable().describe('The variable that sets it; null for what is fixed'),
  value: z.number().nullable().describe('Null: no limit of its own'),
  unit: z.enum(['bytes', 'mib', 'ms', 'pixels', 'count']),
});

/** A limit that the server's configuration sets for everybody. */
export type ServerLimit = DeepReadonly<z.output<typeof serverLimit>>;

const callingKey = z.object({
  type: z.literal('key'),
  name: z.string().nullable().describe('Null where the server asks for no key'),
  source: z
    .enum(['none', 'default', 'file'])
    .describe(
      '`default`: the one key of the server (`API_KEY`, or made at its start); `file`: an entry of `API_KEYS`',
    ),
  organization: z.string().describe('A UUID, as in `anthropic-organization-id`'),
  rights: z.object({
    data: z.literal('all').describe('Keys separate no data'),
    workflows: z.enum(WORKFLOW_ACCESS).describe('What it may do with the workflows of the namespace'),
  }),
  limits: z
    .array(
      z.object({
        lane: z
          .enum(['messages', 'count_tokens', 'batches'])
          .describe('Requests for replies, for counts and for new batches do not use up each other’s limits'),
        what: z.enum(['requests', 'input_tokens', 'output_tokens', 'streams']),
        limit: count.nullable().describe('A minute, of streams at a time; null: no limit'),
        remaining: count.nullable(),
        full_at: maybeTime.describe('When the whole limit is there again'),
      }),
    )
    .describe('Of all servers that share a store in PostgreSQL; else of this one'),
  server_limits: z.array(serverLimit).describe('For every key'),
});
type CallingKey = z.output<typeof callingKey>;

named({ callingKey });

export interface KeyRouteDeps {
  readonly organization: string;
  readonly uploadLimitBytes: number;
  /** Limits that the configuration sets, beside those of bodies. */
  readonly serverLimits?: readonly ServerLimit[];
}

const route = routesOf<KeyRouteDeps>()('System', {});

/** The route that tells a client who it is here, and what it may. The key itself is in no answer. */
export const keyRoutes = [
  route('GET /v1/key', 'retrieveKey', 'Retrieve the calling key', {
    description:
      'Its name, its rights, its limits and how much of them is left. Asking costs nothing of them.',
    answer: callingKey,
    handle: async ({ organization, uploadLimitBytes, serverLimits = [] }, { res }) => {
      await limiterOf(res).refresh();
      const key = clientOf(res);
      res.set('cache-control', 'no-store');
      return {
        type: 'key' as const,
        name: key?.name ?? null,
        source: sourceOf(key),
        organization,
        rights: { data: 'all' as const, workflows: workflowAccessOf(res) },
        limits: limitsOf(limiterOf(res)),
        server_limits: [...bodyLimits(uploadLimitBytes), ...serverLimits],
      };
    },
  }),
];

function sourceOf(key: ClientKey | undefined): CallingKey['source'] {
  if (key === undefined) return 'none';
  return key.name === DEFAULT_KEY_NAME ? 'default' : 'file';
}

function limitsOf(limiter: RateLimiter): CallingKey['limits'] {
  const { open, limit } = limiter.streams;
  const bucket = (
    lane: CallingKey['limits'][number]['lane'],
    what: CallingKey['limits'][number]['what'],
    kind: 'requests' | 'inputTokens' | 'outputTokens',
  ): CallingKey['limits'][number] => {
    const held = limiter.buckets(lane)[kind];
    return {
      lane,
      what,
      limit: held?.limit ?? null,
      remaining: held?.remaining ?? null,
      full_at: held === undefined ? null : new Date(held.fullAt).toISOString(),
    };
  };
  return [
    bucket('messages', 'requests', 'requests'),
    bucket('messages', 'input_tokens', 'inputTokens'),
    bucket('messages', 'output_tokens', 'outputTokens'),
    {
      lane: 'messages',
      what: 'streams',
      limit: limit ?? null,
      remaining: limit === undefined ? null : Math.max(0, limit - open),
      full_at: null,
    },
    bucket('count_tokens', 'requests', 'requests'),
    bucket('batches', 'requests', 'requests'),
  ];
}

function bodyLimits(uploadLimitBytes: number): ServerLimit[] {
  const sized = (name: string, value: number, setting: string | null = null): ServerLimit => ({
    name,
    setting,
    value,
    unit: 'bytes',
  });
  return [
    sized('JSON body', BODY_LIMIT_BYTES),
    sized('Message batch', BATCH_BODY_BYTES),
    sized('File', FILE_LIMIT_BYTES),
    sized('Body for image models', uploadLimitBytes, 'UPLOAD_LIMIT_BYTES'),
  ];
}
