import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InferenceOptions, Tensor } from '../../../inference/index.ts';
import { ModelWorker } from '../../../inference/runtime/model-worker.ts';
import { Ticket } from '../../../inference/runtime/ticket.ts';
import { inferenceRoot } from '../../support/inference-worker.ts';
import { identityModel } from '../../support/onnx.ts';
import { rejection, startService, stopServices, until, type TestService } from '../service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const folder = temporaryFolder();
afterEach(stopServices);

/** A tensor's first value that makes a worker fail while it runs it. */
const POISON = { throw: 666, exit: 667, heap: 668, hang: 669 };

/**
 * The real worker with a fault in it, which occurs in the thread while the job is under way, but before the runtime's
 * native code begins: a fault in there would end the process.
 */
function faultyWorker(): string {
  const file = path.join(folder, 'faulty-worker.mjs');
  const real = pathToFileURL(path.join(inferenceRoot(), 'dist/inference-worker.mjs')).href;
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads';
     parentPort.on('message', ({ jobs = [] }) => setImmediate(() => {
       const values = jobs.map(({ work }) => work.inputs?.[0]?.data[0]);
       if (values.includes(${POISON.throw})) throw new Error('a fault of its own');
       if (values.includes(${POISON.exit})) process.exit(3);
       if (values.includes(${POISON.heap})) for (const kept = []; ; ) kept.push(new Array(1_000_000).fill(0.5));
       if (values.includes(${POISON.hang})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
     }));
     await import('${real}');`,
  );
  return file;
}

const tensor = (value: number): Tensor => ({
  name: 'images',
  datatype: 'FP32',
  shape: [1, 3, 4, 4],
  data: new Float32Array(48).fill(value),
});

async function start(options: Partial<InferenceOptions> = {}): Promise<{
  service: TestService;
  infer: (model: string, value: number) => Promise<number>;
  crashes: string[];
}> {
  const model = identityModel({ shape: [1, 3, 4, 4] });
  const service = await startService(
    { 'a.onnx': model, 'b.onnx': model },
    { workerFile: faultyWorker(), concurrency: 2, instances: 1, ...options },
  );
  const crashes: string[] = [];
  service.inference.observe({
    model: (event) => {
      if (event.event === 'crashed') crashes.push(`${event.model}: ${event.reason}`);
    },
  });
  const infer = async (name: string, value: number): Promise<number> => {
    const { outputs } = await service.inference.infer({ model: name, inputs: [tensor(value)] });
    return Number(outputs[0]?.data[0]);
  };
  return { service, infer, crashes };
}

test.each([
  ['throws', POISON.throw, /a fault of its own/],
  ['ends', POISON.exit, /code 3/],
])('a worker that %s fails its own job only, and is replaced', async (_what, poison, reason) => {
  const { service, infer, crashes } = await start();
  await infer('a', 1);
  const lost = rejection(infer('a', poison));
  const others = [2, 3, 4, 5].map((value) => infer('a', value));
  const beside = [6, 7].map((value) => infer('b', value));
  const error = await lost;
  expect(error).toMatchObject({ code: 'model_unavailable', status: 503, retryable: true });
  expect(error['message']).toMatch(reason);
  expect(await Promise.all(others)).toEqual([2, 3, 4, 5]);
  expect(await Promise.all(beside)).toEqual([6, 7]);
  expect(crashes).toHaveLength(1);
  expect(service.inference.model('a').state).toBe('ready');
});

test('a worker that runs out of memory is replaced', async () => {
  // On a busy computer, filling its memory may take longer than a request may by default.
  const { infer, crashes } = await start({ timeoutMs: 110_000 });
  const error = await rejection(infer('a', POISON.heap));
  expect(error).toMatchObject({ code: 'model_unavailable' });
  expect(await infer('a', 8)).toBe(8);
  expect(crashes).toEqual([expect.stringMatching(/memory limit/i)]);
});

test('one crash after the other is answered each time', async () => {
  const { infer, crashes } = await start();
  for (let round = 0; round < 3; round++) {
    expect(await rejection(infer('a', POISON.throw))).toMatchObject({ code: 'model_unavailable' });
    expect(await infer('a', round)).toBe(round);
  }
  expect(crashes).toHaveLength(3);
});

test('a run past the limit loses its worker, which is replaced at once and ends when the run does', async () => {
  const { infer, crashes } = await start({ runLimitMs: 1000 });
  const error = await rejection(infer('a', POISON.hang));
  expect(error).toMatchObject({ code: 'model_unavailable' });
  expect(await infer('a', 9)).toBe(9);
  expect(crashes).toEqual([expect.stringContaining('more than 1000 ms')]);
});

test('a job whose time is up when its turn comes is not begun', async () => {
  const { service } = await start();
  const file = path.join(service.folder, 'a.onnx');
  const { size, mtimeMs } = await (await import('node:fs/promises')).stat(file);
  let ended = 0;
  const workerFile = path.join(inferenceRoot(), 'dist/inference-worker.mjs');
  const worker = new ModelWorker({
    workerFile,
    setup: {
      workerFile,
      name: 'a',
      files: { kind: 'onnx', onnx: { model: { path: file, size, mtimeMs }, sidecar: {} } },
      wasmFile: path.join(inferenceRoot(), 'dist/preprocess.wasm'),
      wideThreads: null,
      spinning: false,
    },
    runLimitMs: 10_000,
    loadLimitMs: 60_000,
    onCapacity: () => ended++,
    onLost: () => undefined,
  });
  await worker.loaded;
  const tickets = [-60_000, 60_000].map((left) => {
    const late = (): never => {
      throw new Error('its own timer');
    };
    const ticket = new Ticket({ model: 'a', timeoutMs: 60_000, signal: undefined, bytes: 0, late });
    (ticket as { deadline: number }).deadline = Date.now() + left;
    ticket.work = { type: 'infer', inputs: [tensor(1)], outputs: null };
    worker.send([ticket], false);
    return ticket;
  });
  await until(() => ended === 2);
  const [late, due] = tickets;
  expect((await due?.answered)?.answer.outputs).toHaveLength(1);
  expect(late?.over).toBe(false);
  late?.fail(new Error('over'));
  await worker.end();
});
