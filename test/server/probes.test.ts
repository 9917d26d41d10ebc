import { clientKey } from '../../server/auth/client-key.ts';
import { createProbeApp } from '../../server/health/probe-app.ts';
import { Readiness } from '../../server/health/readiness.ts';
import { createListener } from '../../server/http/listener.ts';
import { createLogger } from '../../server/log.ts';
import { Registry } from 'prom-client';
import { figuresOf } from '../../server/routes/metrics.ts';
import { createIds } from '../../store/index.ts';
import { ask, startServer, stopServers } from './harness.ts';

/** What orchestrators and balancers ask. */

afterEach(stopServers);

const access = { kind: 'keys', keys: [clientKey('sk-test-0123456789')] } as const;

function withoutTemporal(): Readiness {
  const readiness = new Readiness();
  readiness.add({
    name: 'temporal',
    look: async () => {
      throw new Error('no connection');
    },
  });
  readiness.obstacle = null;
  return readiness;
}

test('a server without Temporal lives, is not ready, and says so in /health too; probes need no key', async () => {
  const { url } = await startServer({ access, readiness: withoutTemporal() });
  expect(await ask(`${url}/livez`)).toMatchObject({ status: 200, body: { live: true } });
  expect(await ask(`${url}/readyz`)).toMatchObject({
    status: 503,
    body: { ready: false, reason: 'temporal: no connection', checks: { temporal: { ok: false } } },
  });
  expect(await ask(`${url}/health`)).toMatchObject({
    status: 503,
    body: { status: 'engine_unreachable', engine: { reachable: false, reason: 'no connection' } },
  });
});

test('/metrics asks for a key unless the configuration says otherwise', async () => {
  const guarded = await startServer({ access });
  expect((await fetch(`${guarded.url}/metrics`)).status).toBe(401);
  const open = await startServer({ access, metricsAccess: 'open' });
  const answer = await fetch(`${open.url}/metrics`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain('steadyhand_http_requests_total');
});

test('a port that is bound early answers probes, then the server, on the same connection', async () => {
  const readiness = new Readiness();
  const listener = createListener();
  const log = createLogger('silent');
  const { drain } = listener;
  listener.show(createProbeApp({ readiness, drain, log, newId: createIds(), isStarting: true }));
  const { url } = await listener.listen('127.0.0.1', 0);
  expect(await ask(`${url}/readyz`)).toMatchObject({ status: 503, body: { reason: 'it is starting' } });
  expect(await ask(`${url}/v1/sessions`)).toMatchObject({
    status: 503,
    body: { error: { type: 'overloaded_error', message: 'the server is starting; ask again' } },
  });
  const server = await startServer({ listener, readiness });
  readiness.obstacle = null;
  expect(server.url).toBe(url);
  expect((await ask(`${url}/readyz`)).status).toBe(200);
  expect((await ask(`${url}/v1/sessions`)).status).toBe(200);
});

test.each([
  ['local' as const, undefined, 200],
  ['keys' as const, undefined, 401],
  ['keys' as const, 'sk-test-0123456789', 200],
  ['open' as const, undefined, 200],
])('figures of a worker: access %s, key %s: %i', async (kind, key, status) => {
  const readiness = new Readiness();
  const listener = createListener();
  listener.show(
    createProbeApp({
      readiness,
      drain: listener.drain,
      log: createLogger('silent'),
      newId: createIds(),
      figures: {
        metrics: figuresOf(new Registry()),
        access: kind === 'open' ? 'open' : kind === 'keys' ? access : { kind },
      },
      isStarting: false,
    }),
  );
  const { url } = await listener.listen('127.0.0.1', 0);
  try {
    const headers: Record<string, string> = key === undefined ? {} : { 'x-api-key': key };
    expect((await fetch(`${url}/metrics`, { headers })).status).toBe(status);
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect((await fetch(`${url}/v1/sessions`)).status).toBe(404);
  } finally {
    await listener.drain.close(500);
  }
});
