import { readdirSync } from 'node:fs';
import { busyModel, identityModel } from '../../support/onnx.ts';
import { png, rejection, startService, stopServices, until } from '../service.ts';

afterEach(stopServices);

const quick = identityModel({ shape: [1, 3, 4, 4] });

/** Threads of this process, as the kernel counts them. */
function threads(): number {
  return readdirSync('/proc/self/task').length;
}

test('unloading ends the workers, and loading brings the model back', async () => {
  const { inference } = await startService({ 'm.onnx': quick, 'other.onnx': quick });
  const bytes = await png();
  await inference.analyze({ bytes, model: 'm' });
  const before = threads();
  await inference.unload('m');
  expect(threads()).toBeLessThan(before);
  expect(inference.model('m')).toMatchObject({ state: 'unloaded', version: '', spec: null });
  const error = await rejection(inference.analyze({ bytes, model: 'm' }));
  expect(error).toMatchObject({ code: 'model_unavailable' });
  expect(error['message']).toMatch(/unloaded/);
  await inference.analyze({ bytes, model: 'other' });
  expect(await inference.load('m')).toMatchObject({ state: 'ready' });
  await inference.analyze({ bytes, model: 'm' });
  expect(await rejection(inference.unload('nobody'))).toMatchObject({ code: 'model_not_found' });
});

test('what was unloaded stays so although its file is there, also when that changes', async () => {
  const { inference, put } = await startService({ 'm.onnx': quick });
  await inference.unload('m');
  put('m.onnx', identityModel({ shape: [1, 3, 8, 8] }));
  put('n.onnx', quick);
  await until(() => inference.models().some(({ name, state }) => name === 'n' && state === 'ready'));
  expect(inference.model('m').state).toBe('unloaded');
  await inference.load('m');
  expect(inference.model('m').inputs[0]?.shape).toEqual([1, 3, 8, 8]);
});

test('a run under way is answered before its worker ends, what waits is refused', async () => {
  const { inference } = await startService(
    { 'm.onnx': busyModel({ shape: [1, 3, 8, 8] }) },
    { concurrency: 1 },
  );
  let running = 0;
  inference.observe({ queue: (event) => (running = event.running) });
  const bytes = await png();
  const first = inference.analyze({ bytes, model: 'm' });
  await until(() => running === 1);
  const second = rejection(inference.analyze({ bytes, model: 'm' }));
  const unloaded = inference.unload('m');
  expect(await second).toMatchObject({ code: 'model_unavailable' });
  await first;
  await unloaded;
});

test('unloading while it loads leaves it unloaded', async () => {
  const { inference } = await startService({ 'm.onnx': quick });
  await inference.unload('m');
  const loading = inference.load('m');
  await until(() => inference.model('m').state === 'loading');
  await inference.unload('m');
  await loading;
  expect(inference.model('m').state).toBe('unloaded');
});
