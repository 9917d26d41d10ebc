import { setImmediate } from 'node:timers/promises';
import { BatchRuntime } from '../../app/batch-runtime.ts';
import { createLogger } from '../../server/log.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { lineTo } from '../support/line-to-engine.ts';
import { temporaryStores } from '../store/temporary-store.ts';

const stores = temporaryStores('sqlite');
let engine: TestEngine;
beforeAll(async () => {
  engine = await startTestEngine();
}, 120_000);
afterAll(() => engine.stop());

test('a server that stops waits for a batch that Temporal was being offered, and not for an answer', async () => {
  const store = await stores.open();
  await store.batches.begin('msgbatch_1');
  await store.batches.accept('msgbatch_1', { lifetimeMs: 60_000, data: {} });
  const line = await lineTo(engine);
  line.fallSilent();
  const runtime = new BatchRuntime({
    client: line.client,
    store,
    log: createLogger('silent'),
    taskQueues: { sessions: 'steadyhand-test', batches: 'steadyhand-test-batches' },
    concurrency: 1,
    workflowTaskTimeoutMs: 4000,
  });
  let isUnderWay = true;
  void runtime.deliver('msgbatch_1').then(() => (isUnderWay = false));
  await runtime.close();
  await setImmediate();
  expect(isUnderWay).toBe(false);
  await line.close();
  expect(await store.batches.unfinished()).toEqual(['msgbatch_1']);
});
