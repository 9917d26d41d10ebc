import { InferenceError, type Inference } from '../../../inference/index.ts';
import { quotaOf } from '../../../inference/runtime/cores.ts';
import { busyModel, identityModel } from '../../support/onnx.ts';
import { png, rejection, startService, stopServices, until } from '../service.ts';

afterEach(stopServices);

/** Long enough on any computer that a request sent meanwhile finds it running. */
const slow = busyModel({ shape: [1, 3, 8, 8] });
/** A quarter of a second and more, on a core that makes 100 GFLOP a second. */
const slower = busyModel({ repeat: 96, shape: [1, 3, 8, 8] });
const quick = identityModel({ shape: [1, 3, 4, 4] });

/** Records what waits and runs, by model. */
function watch(inference: Inference): { waiting: number; running: number; most: number } {
  const counts = new Map<string, { waiting: number; running: number }>();
  const seen = { waiting: 0, running: 0, most: 0 };
  inference.observe({
    queue: ({ model, waiting, running }) => {
      counts.set(model, { waiting, running });
      seen.waiting = [...counts.values()].reduce((sum, count) => sum + count.waiting, 0);
      seen.running = [...counts.values()].reduce((sum, count) => sum + count.running, 0);
      seen.most = Math.max(seen.most, seen.running);
    },
  });
  return seen;
}

test('as many wait as may; one more is refused at once, before it is decoded', async () => {
  const { inference } = await startService({ 'slow.onnx': slow }, { concurrency: 1, queue: 2 });
  const load = watch(inference);
  const bytes = await png();
  const ask = (): Promise<unknown> => inference.analyze({ bytes, model: 'slow' });
  const first = ask();
  await until(() => load.running === 1);
  const waiting = [ask(), ask()];
  const error = await rejection(inference.analyze({ bytes: Buffer.from('no image'), model: 'slow' }));
  expect(error).toBeInstanceOf(InferenceError);
  expect(error).toMatchObject({ code: 'queue_full', status: 503, retryable: true });
  expect(error['retryAfterS']).toBeGreaterThanOrEqual(1);
  expect(load.waiting).toBe(2);
  await Promise.all([first, ...waiting]);
  expect(load).toMatchObject({ waiting: 0, running: 0 });
});

test('what waits may hold only so much', async () => {
  const { inference } = await startService({ 'slow.onnx': slow }, { concurrency: 1 });
  const load = watch(inference);
  const running = inference.analyze({ bytes: await png(), model: 'slow' });
  await until(() => load.running === 1);
  const large = new Uint8Array(300 * 1024 * 1024);
  const leave = new AbortController();
  const waiting = rejection(inference.analyze({ bytes: large, model: 'slow', signal: leave.signal }));
  expect(await rejection(inference.analyze({ bytes: large, model: 'slow' }))).toMatchObject({
    code: 'queue_full',
  });
  leave.abort(new Error('enough'));
  await waiting;
  await running;
});

test('a request whose time is up while it waits is told so, and its place is free', async () => {
  const { inference } = await startService({ 'slow.onnx': slow }, { concurrency: 1, queue: 1 });
  const load = watch(inference);
  const bytes = await png();
  const first = inference.analyze({ bytes, model: 'slow' });
  await until(() => load.running === 1);
  const late = await rejection(inference.analyze({ bytes, model: 'slow', timeoutMs: 5 }));
  expect(late).toMatchObject({ code: 'deadline_exceeded', status: 503 });
  expect(load).toMatchObject({ waiting: 0, running: 1 });
  const next = inference.analyze({ bytes, model: 'slow' });
  await Promise.all([first, next]);
});

test('a request that has hardly a chance is refused when it comes', async () => {
  const { inference } = await startService({ 'slow.onnx': slow }, { concurrency: 1, instances: 1 });
  const load = watch(inference);
  const bytes = await png();
  await inference.analyze({ bytes, model: 'slow' });
  const running = Array.from({ length: 4 }, () => inference.analyze({ bytes, model: 'slow' }));
  await until(() => load.running === 1);
  const error = await rejection(inference.analyze({ bytes, model: 'slow', timeoutMs: 1 }));
  expect(error).toMatchObject({ code: 'deadline_exceeded' });
  expect(error['message']).toMatch(/would not come/);
  await Promise.all(running);
});

test('a run that outlives its deadline ends unheard, and the model goes on', async () => {
  const { inference } = await startService({ 'slower.onnx': slower }, { concurrency: 1, timeoutMs: 40 });
  const bytes = await png();
  expect(await rejection(inference.analyze({ bytes, model: 'slower', timeoutMs: 1e9 }))).toMatchObject({
    code: 'deadline_exceeded',
  });
  expect(inference.model('slower').state).toBe('ready');
});

test('a client that leaves gives its place up, whether it waits or runs', async () => {
  const { inference } = await startService({ 'slow.onnx': slow }, { concurrency: 1, queue: 1 });
  const load = watch(inference);
  const bytes = await png();
  const [runs, waits] = [new AbortController(), new AbortController()];
  const running = inference.analyze({ bytes, model: 'slow', signal: runs.signal });
  await until(() => load.running === 1);
  const waiting = inference.analyze({ bytes, model: 'slow', signal: waits.signal });
  await until(() => load.waiting === 1);
  const gone = new Error('the client left');
  waits.abort(gone);
  expect(await rejection(waiting)).toBe(gone);
  expect(load.waiting).toBe(0);
  runs.abort(gone);
  expect(await rejection(running)).toBe(gone);
  expect(load.running).toBe(0);
  // The worker still runs it, and serves the next one afterwards.
  await inference.analyze({ bytes, model: 'slow' });
  const before = rejection(inference.analyze({ bytes, model: 'slow', signal: AbortSignal.abort(gone) }));
  expect(await before).toBe(gone);
});

test('tensors go in the order in which they came', async () => {
  const { inference } = await startService({ 'quick.onnx': quick }, { concurrency: 1, instances: 1 });
  const inputs = [
    { name: 'images', datatype: 'FP32', shape: [1, 3, 4, 4], data: new Float32Array(48) },
  ] as const;
  const done: number[] = [];
  await Promise.all(
    Array.from({ length: 40 }, async (_, index) => {
      await inference.infer({ model: 'quick', inputs });
      done.push(index);
    }),
  );
  expect(done).toEqual(Array.from({ length: 40 }, (_, index) => index));
});

test('a busy model leaves turns to another one', async () => {
  const { inference } = await startService(
    { 'slow.onnx': slow, 'quick.onnx': quick },
    { concurrency: 1, instances: 1 },
  );
  const load = watch(inference);
  const bytes = await png();
  const done: string[] = [];
  const ask = async (model: string): Promise<void> => {
    await inference.analyze({ bytes, model });
    done.push(model);
  };
  const crowd = Array.from({ length: 6 }, () => ask('slow'));
  await until(() => load.running === 1);
  await Promise.all([...crowd, ask('quick')]);
  expect(done).toHaveLength(7);
  expect(done.indexOf('quick')).toBeLessThanOrEqual(3);
});

test('as many run at a time as may, in workers that start when they are needed', async () => {
  const { inference } = await startService({ 'slow.onnx': slow }, { concurrency: 3, queue: 20 });
  const load = watch(inference);
  const bytes = await png();
  const client = async (): Promise<void> => {
    while (load.most < 3) await inference.analyze({ bytes, model: 'slow' });
    await inference.analyze({ bytes, model: 'slow' });
  };
  await Promise.all([client(), client(), client(), client(), client()]);
  expect(load.most).toBe(3);
});

test('a sidecar can allow its model fewer workers', async () => {
  const { inference } = await startService(
    { 'slow.onnx': slow, 'slow.json': '{"instances": 1}' },
    { concurrency: 3 },
  );
  const load = watch(inference);
  const bytes = await png();
  await Promise.all(Array.from({ length: 4 }, () => inference.analyze({ bytes, model: 'slow' })));
  expect(load.most).toBe(1);
});

test('what waits for a model to load is answered by it', async () => {
  const { inference, put } = await startService({});
  put('late.onnx', quick);
  await until(() => inference.models().some(({ name }) => name === 'late'));
  const { outputs } = await inference.analyze({ bytes: await png(), model: 'late' });
  expect(outputs).toHaveLength(1);
});

test('closing refuses what waits, lets what runs end, and takes nothing more', async () => {
  const { inference } = await startService({ 'slow.onnx': slow }, { concurrency: 1 });
  const load = watch(inference);
  const bytes = await png();
  const running = inference.analyze({ bytes, model: 'slow' });
  await until(() => load.running === 1);
  const waiting = rejection(inference.analyze({ bytes, model: 'slow' }));
  await until(() => load.waiting === 1);
  const closed = inference.close();
  expect(await waiting).toMatchObject({ code: 'model_unavailable' });
  await running;
  await closed;
  expect(await rejection(inference.analyze({ bytes, model: 'slow' }))).toMatchObject({
    code: 'model_unavailable',
  });
  expect(inference.ready()).toBe(false);
});

test.each([
  ['150000 100000\n', 2],
  ['50000 100000', 1],
  ['max 100000', undefined],
  ['', undefined],
])('a control group that says %j allows %p cores', (text, cores) => {
  expect(quotaOf(text)).toBe(cores);
});
