import { z } from 'zod';
import type { KnownModels } from '../deps.ts';
import type { Readiness } from '../health/readiness.ts';
import { modelState } from '../inference/contract.ts';
import { poolFigures, type SandboxPoolService } from './sandbox-pool.ts';
import { named } from '../routing/components.ts';
import { routesOf, type DeepReadonly } from '../routing/route.ts';

const WELL: StoreHealth = { status: 'ok', reason: null, broken_sessions: 0 };
/** Of an engine in the same process, which is not looked at. */
const REACHED = { ok: true, reason: null };

const healthAnswer = z.object({
  status: z
    .enum(['ok', 'full', 'unwritable', 'engine_unreachable'])
    .describe('With 503 where it is not `ok`'),
  version: z.string(),
  uptime_s: z.number(),
  engine: z.object({
    kind: z.string(),
    address: z.string(),
    namespace: z.string(),
    reachable: z.boolean().describe('Whether it answered when it was last asked, a second ago at most'),
    reason: z.string().nullable(),
  }),
  desktop: z.object({
    available: z.boolean(),
    isolation: z.string().nullable(),
    reason: z.string().nullable(),
    pool: poolFigures.nullable().describe('Null without a pool'),
    broken_sandboxes: z.int().describe('Sandboxes that this server has found to be damaged'),
  }),
  store: z.object({
    status: z.enum(['ok', 'full', 'unwritable']),
    reason: z.string().nullable(),
    broken_sessions: z.int().describe('Sessions whose record or log was found to be damaged'),
  }),
  inference: z.object({
    ready: z.boolean(),
    models: z.array(z.object({ name: z.string(), state: modelState, reason: z.string().nullable() })),
  }),
});

named({ health: healthAnswer });

type HealthAnswer = DeepReadonly<z.output<typeof healthAnswer>>;

/** What `/health` tells beside `status`, `uptime_s` and the models. Without `store`, nothing is wrong with the store. */
export type Health = Pick<HealthAnswer, 'version'> & {
  readonly engine: Omit<HealthAnswer['engine'], 'reachable' | 'reason'>;
  readonly desktop: Omit<HealthAnswer['desktop'], 'pool' | 'broken_sandboxes'>;
  /** Default 0. */
  readonly brokenSandboxes?: number;
  readonly store?: StoreHealth;
};
export type StoreHealth = HealthAnswer['store'];

export interface HealthRouteDeps {
  readonly health: () => Health;
  readonly inference: Pick<KnownModels, 'ready' | 'models'>;
  readonly sandboxPool?: Pick<SandboxPoolService, 'figures'>;
  /** Its check `temporal` tells of the engine. */
  readonly readiness: Pick<Readiness, 'read'>;
}

/** The route is open to everybody who reaches the server, so that probes need no key; its answer holds no secret. */
export const healthRoutes = [
  routesOf<HealthRouteDeps>()('Operations', {})('GET /health', 'health', 'Health', {
    description: 'Whether the server runs, and what with. Open without a key.',
    answer: healthAnswer,
    open: true,
    handle: async ({ health, inference, sandboxPool, readiness }, { res }) => {
      const { version, engine, desktop, brokenSandboxes = 0, store = WELL } = health();
      const { ok: reachable, reason } = (await readiness.read()).checks['temporal'] ?? REACHED;
      const status: HealthAnswer['status'] =
        store.status === 'ok' && !reachable ? 'engine_unreachable' : store.status;
      // A client that looks at the status alone is told as well.
      res.status(status === 'ok' ? 200 : 503).set('cache-control', 'no-store');
      return {
        status,
        version,
        uptime_s: Math.round(process.uptime() * 10) / 10,
        engine: { ...engine, reachable, reason },
        desktop: {
          ...desktop,
          pool: (await sandboxPool?.figures()) ?? null,
          broken_sandboxes: brokenSandboxes,
        },
        store,
        inference: {
          ready: inference.ready(),
          models: inference.models().map(({ name, state, reason }) => ({ name, state, reason })),
        },
      };
    },
  }),
];
