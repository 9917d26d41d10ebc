import { z } from 'zod';
import type { Readiness } from '../health/readiness.ts';
import { routesOf } from '../routing/route.ts';

const live = z.object({ live: z.boolean() });

const ready = z.object({
  ready: z.boolean().describe('With 503 where it is false'),
  reason: z.string().nullable().describe('What is wrong, part by part; null where nothing is'),
  checks: z.record(
    z.string(),
    z.object({
      ok: z.boolean(),
      required: z.boolean().describe('Whether the process counts as unready without it'),
      reason: z.string().nullable(),
      ms: z.number().describe('How long the look at it took'),
    }),
  ),
});

export interface ProbeRouteDeps {
  readonly readiness: Readiness;
}

/** For the probes of orchestrators and balancers, which have no key; the answers hold no secret. */
export const probeRoutes = [
  routesOf<ProbeRouteDeps>()('Operations', {})('GET /livez', 'livez', 'Live', {
    description: 'Whether the process works, whatever it needs. Open without a key.',
    answer: live,
    open: true,
    handle: (_deps, { res }) => {
      res.set('cache-control', 'no-store');
      return { live: true };
    },
  }),
  routesOf<ProbeRouteDeps>()('Operations', {})('GET /readyz', 'readyz', 'Ready', {
    description:
      'Whether the process takes work: it has started, it is not draining, and it reaches what its role needs, such as ' +
      'Temporal and the store. The parts are looked at once a second at most. Open without a key.',
    answer: ready,
    open: true,
    unready: true,
    handle: async ({ readiness }, { res }) => {
      const report = await readiness.read();
      res.set('cache-control', 'no-store').status(report.ready ? 200 : 503);
      return report;
    },
  }),
];
