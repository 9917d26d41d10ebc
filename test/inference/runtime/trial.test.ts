import { modelThreads } from '../../../inference/index.ts';
import { identityModel, largeConstantModel, loopModel } from '../../support/onnx.ts';
import { rejection, startService, stopServices, trials, until } from '../service.ts';

afterEach(stopServices);

const good = identityModel({ shape: [1, 3, 4, 4] });
const ENDLESS = 4e12;
const tensor = { name: 'images', datatype: 'FP32', shape: [1, 3, 4, 4], data: new Float32Array(48) } as const;

test('a model whose run never ends is refused after the limit, and nothing is left of it', async () => {
  const { inference } = await startService(
    { 'endless.onnx': loopModel(ENDLESS), 'good.onnx': good },
    { loadLimitMs: 3000 },
  );
  expect(inference.model('endless')).toMatchObject({
    state: 'refused',
    reason: 'it did not load and run once within 3000 ms',
  });
  expect(trials()).toEqual([]);
  expect(modelThreads()).toBe(1);
  const { outputs } = await inference.infer({ model: 'good', inputs: [tensor] });
  expect(outputs).toHaveLength(1);
  const error = await rejection(inference.infer({ model: 'endless', inputs: [tensor] }));
  expect(error['message']).toMatch('was refused: it did not load and run once within 3000 ms');
});

test('a small file that takes more memory than a model may is refused, and not a byte of it is taken here', async () => {
  const large = largeConstantModel(10_240);
  expect(large.length).toBeLessThan(300);
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const { inference } = await startService({ 'large.onnx': large }, { loadMemoryMib: 512 });
  clearInterval(watch);
  expect(inference.model('large')).toMatchObject({
    state: 'refused',
    reason: expect.stringMatching(
      /^it takes more than 512 MiB of memory to load it and run it once/,
    ) as string,
  });
  expect((peak - before) / 2 ** 20).toBeLessThan(150);
  expect(trials()).toEqual([]);
});

test('a model that takes less than it may is served', async () => {
  const { inference } = await startService({ 'fits.onnx': largeConstantModel(64) }, { loadMemoryMib: 512 });
  expect(inference.model('fits').state).toBe('ready');
});

test('closing waits for no model that loads', async () => {
  const { inference, put } = await startService({ 'good.onnx': good });
  put('endless.onnx', loopModel(ENDLESS));
  const loading = rejection(inference.load('endless'));
  await until(() => trials().length > 0);
  await inference.close();
  expect(await loading).toMatchObject({ message: 'the service was closed' });
  expect(trials()).toEqual([]);
});

test('a load that has not begun when the service is closed does not begin', async () => {
  const { inference, put } = await startService({}, { pollMs: 60_000 });
  put('good.onnx', good);
  const loading = rejection(inference.load('good'));
  await inference.close();
  expect(await loading).toMatchObject({ message: 'the service was closed' });
  expect(trials()).toEqual([]);
});
