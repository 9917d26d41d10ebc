import { identityModel, busyModel, onnxModel } from '../../support/onnx.ts';
import { png, startService, stopServices, until } from '../service.ts';

afterEach(stopServices);

/** Answers for every image of a batch its mean and how many the batch has. */
const counting = onnxModel({
  inputs: [{ name: 'images', shape: ['n', 3, 4, 4] }],
  outputs: [
    { name: 'mean', shape: ['n', 1, 1, 1] },
    { name: 'batch', shape: ['n', 1, 1, 1] },
  ],
  initializers: [
    { name: 'first', datatype: 'INT64', shape: [], data: [0] },
    { name: 'zero', shape: [], data: [0] },
  ],
  nodes: [
    { op: 'ReduceMean', inputs: ['images'], outputs: ['mean'], attributes: { axes: { ints: [1, 2, 3] } } },
    { op: 'Shape', inputs: ['images'], outputs: ['shape'] },
    { op: 'Gather', inputs: ['shape', 'first'], outputs: ['size'] },
    { op: 'Cast', inputs: ['size'], outputs: ['count'], attributes: { to: { int: 1 } } },
    { op: 'Mul', inputs: ['mean', 'zero'], outputs: ['nought'] },
    { op: 'Add', inputs: ['nought', 'count'], outputs: ['batch'] },
  ],
});

/** Sends eight images of different greys while another model occupies the only worker. */
async function sizes(
  batch: number,
  model: Uint8Array,
  name: 'counting' | 'fixed',
): Promise<{ means: number[]; batches: number[] }> {
  const { inference } = await startService(
    { 'slow.onnx': busyModel({ shape: [1, 3, 8, 8] }), [`${name}.onnx`]: model },
    { concurrency: 1, instances: 1, batch },
  );
  let running = 0;
  inference.observe({ queue: (event) => (running = Math.max(running, event.running)) });
  const pictures = await Promise.all(
    [0, 1, 2, 3, 4, 5, 6, 7].map((grey) => png(8, 8, { r: grey, g: grey, b: grey })),
  );
  const slow = inference.analyze({ bytes: await png(), model: 'slow' });
  await until(() => running === 1);
  const answers = await Promise.all(
    pictures.map((bytes) => inference.analyze({ bytes, model: name, output: 'raw' })),
  );
  await slow;
  return {
    means: answers.map(({ outputs }) => Number(outputs?.[0]?.data[0])),
    batches: answers.map(({ outputs }) => Number(outputs?.[1]?.data[0])),
  };
}

test('what waits goes through in batches, and each image gets its own answer', async () => {
  const { means, batches } = await sizes(4, counting, 'counting');
  expect(means).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(Math.max(...batches)).toBeGreaterThan(1);
  expect(Math.max(...batches)).toBeLessThanOrEqual(4);
});

test('without the setting every image runs alone', async () => {
  const { means, batches } = await sizes(1, counting, 'counting');
  expect(means).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  expect(new Set(batches)).toEqual(new Set([1]));
});

test('a model of one image at a time is not given more', async () => {
  const { means } = await sizes(4, identityModel({ shape: [1, 3, 4, 4] }), 'fixed');
  expect(means).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
});

test('an image that fails in a batch fails alone', async () => {
  const { inference } = await startService(
    {
      'slow.onnx': busyModel({ shape: [1, 3, 8, 8] }),
      'counting.onnx': counting,
      'counting.json': '{"read": "unchanged"}',
    },
    { concurrency: 1, instances: 1, batch: 4 },
  );
  let running = 0;
  inference.observe({ queue: (event) => (running = Math.max(running, event.running)) });
  const sharp = (await import('sharp')).default;
  const clear = await sharp(await png(8, 8))
    .ensureAlpha(0.5)
    .png()
    .toBuffer();
  const slow = inference.analyze({ bytes: await png(), model: 'slow' });
  await until(() => running === 1);
  const ask = (bytes: Uint8Array): Promise<unknown> =>
    inference.analyze({ bytes, model: 'counting', output: 'raw' });
  const results = await Promise.allSettled(
    [png(8, 8), clear, png(8, 8)].map(async (bytes) => ask(await bytes)),
  );
  await slow;
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(results[1]).toMatchObject({ reason: { code: 'image_unsuitable', field: 'file' } });
});
