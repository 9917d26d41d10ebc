import { Readiness } from '../../server/health/readiness.ts';

/** Whether a process takes work, and what it looks at for that. */

function started(options?: ConstructorParameters<typeof Readiness>[0]): Readiness {
  const readiness = new Readiness(options);
  readiness.obstacle = null;
  return readiness;
}

const fails = (message: string) => async () => {
  throw new Error(message);
};

test('a process that starts or drains is unready whatever the parts say, and says why', async () => {
  const readiness = new Readiness();
  readiness.add({ name: 'store', look: async () => undefined });
  expect(await readiness.read()).toEqual({ ready: false, reason: 'it is starting', checks: {} });
  readiness.obstacle = null;
  expect(await readiness.read()).toMatchObject({ ready: true, reason: null });
  readiness.obstacle = 'it is shutting down';
  expect(await readiness.read()).toMatchObject({ ready: false, reason: 'it is shutting down' });
});

test('what is wrong is named, part by part, and secrets are taken out', async () => {
  const readiness = started({ scrub: (text) => text.replaceAll('hunter22', '[redacted]') });
  readiness.add({ name: 'store', look: fails('no answer for hunter22') });
  readiness.add({ name: 'temporal', look: async () => undefined });
  const { ready, reason, checks } = await readiness.read();
  expect({ ready, reason }).toEqual({ ready: false, reason: 'store: no answer for [redacted]' });
  expect(checks).toMatchObject({
    store: { ok: false, required: true, reason: 'no answer for [redacted]' },
    temporal: { ok: true, required: true, reason: null },
  });
});

test('a part that is not required is told, and the process takes work without it', async () => {
  const readiness = started();
  readiness.add({ name: 'pool', isRequired: false, look: fails('nobody there') });
  expect(await readiness.read()).toMatchObject({
    ready: true,
    checks: { pool: { ok: false, required: false, reason: 'nobody there' } },
  });
});

test('a part that does not answer is given up, and told to stop', async () => {
  const readiness = started({ limitMs: 20 });
  let stopped: unknown;
  readiness.add({
    name: 'temporal',
    look: (signal) =>
      new Promise(() => {
        signal.addEventListener('abort', () => {
          stopped = signal.reason;
        });
      }),
  });
  expect(await readiness.read()).toMatchObject({ ready: false, reason: 'temporal: no answer within 20 ms' });
  expect(stopped).toBeInstanceOf(Error);
});

test('however many ask, the parts are looked at once a second', async () => {
  let now = 0;
  let looks = 0;
  const readiness = started({ now: () => now });
  readiness.add({ name: 'store', look: async () => ++looks });
  await Promise.all([readiness.read(), readiness.read()]);
  now = 999;
  await readiness.read();
  expect(looks).toBe(1);
  now = 1000;
  await readiness.read();
  expect(looks).toBe(2);
});
