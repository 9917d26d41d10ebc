import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ModelRefusedError, type Inference, type Tensor } from '../../../inference/index.ts';
import { loopModel, onnxModel } from '../../support/onnx.ts';
import { png, rejection, startService, stopServices, trials, until } from '../service.ts';
import { readOrEmpty } from '../../support/read-or-empty.ts';

afterEach(stopServices);

/** Adds a number to its input, so that a version is recognised by its answers. */
function adds(amount: number, padding = 0): Uint8Array<ArrayBuffer> {
  const shape = [1, 3, 4, 4];
  return onnxModel({
    inputs: [{ name: 'images', shape }],
    outputs: [{ name: 'sum', shape }],
    initializers: [
      { name: 'amount', shape: [1], data: [amount] },
      { name: 'padding', shape: [padding], data: new Float32Array(padding) },
    ],
    nodes: [{ op: 'Add', inputs: ['images', 'amount'], outputs: ['sum'] }],
  });
}

/** The hundredths of a second that a process has used of a processor. */
function ticksOf(pid: string): number {
  const fields = readOrEmpty(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

const zero: Tensor = { name: 'images', datatype: 'FP32', shape: [1, 3, 4, 4], data: new Float32Array(48) };

async function answer(inference: Inference, model = 'm'): Promise<number> {
  const { outputs } = await inference.infer({ model, inputs: [zero] });
  return Number(outputs[0]?.data[0]);
}

function reasonOf(inference: Inference, model = 'm'): string {
  return inference.model(model).reason ?? '';
}

test('the folder’s models are loaded, other files, subfolders and wrong names passed over, links followed', async () => {
  const { inference, folder } = await startService({
    'b.onnx': adds(1),
    'a-1.2_x.onnx': adds(2),
    'notes.txt': 'x',
    '-wrong.onnx': adds(3),
    'wörter.onnx': adds(3),
    '.hidden.onnx': adds(3),
    'alone.json': '{}',
  });
  mkdirSync(path.join(folder, 'sub.onnx'));
  symlinkSync(path.join(folder, 'b.onnx'), path.join(folder, 'link.onnx'));
  await until(() => inference.models().some(({ name, state }) => name === 'link' && state === 'ready'));
  const files = inference.models().filter(({ source }) => source === 'file');
  expect(files.map(({ name }) => name)).toEqual(['a-1.2_x', 'b', 'link']);
  expect(files.every(({ state, reason }) => state === 'ready' && reason === null)).toBe(true);
  expect(await answer(inference, 'link')).toBe(1);
  expect(inference.model('link').version).toBe(inference.model('b').version);
  expect(inference.model('b')).toMatchObject({
    kind: 'onnx',
    inputs: [{ name: 'images', datatype: 'FP32', shape: [1, 3, 4, 4] }],
    outputs: [{ name: 'sum', datatype: 'FP32', shape: [1, 3, 4, 4] }],
  });
});

test('a folder that is not there holds no models, and those that come later are found', async () => {
  const { inference, folder } = await startService({});
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'm.onnx'), adds(4));
  await until(() => inference.models().some(({ name, state }) => name === 'm' && state === 'ready'));
  expect(await answer(inference)).toBe(4);
});

test('a new version takes over under load without one failed request', async () => {
  const { inference, put } = await startService({ 'm.onnx': adds(1) }, { concurrency: 2, queue: 100 });
  const first = inference.model('m').version;
  const answers = new Set<number>();
  const failures: unknown[] = [];
  let going = true;
  const clients = Array.from({ length: 6 }, async () => {
    while (going) {
      try {
        answers.add(await answer(inference));
      } catch (error) {
        failures.push(error);
      }
    }
  });
  for (const version of [2, 3, 4]) {
    put('m.onnx', adds(version));
    await until(() => answers.has(version));
  }
  going = false;
  await Promise.all(clients);
  expect(failures).toEqual([]);
  expect([...answers].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  expect(inference.model('m').version).not.toBe(first);
  // The older versions are out of the way.
  expect(await answer(inference)).toBe(4);
});

test('a file is never taken while it is being copied', async () => {
  const { inference, folder } = await startService({ 'm.onnx': adds(1) }, { pollMs: 1000 });
  const refused: string[] = [];
  inference.observe({ model: (event) => event.event === 'refused' && refused.push(event.reason ?? '') });
  const whole = adds(2, 200_000);
  const file = path.join(folder, 'm.onnx');
  const pieces = 60;
  await writeFile(file, '');
  for (let piece = 0; piece < pieces; piece++) {
    const from = Math.floor((whole.length * piece) / pieces);
    const to = Math.floor((whole.length * (piece + 1)) / pieces);
    await writeFile(file, whole.subarray(from, to), { flag: 'a' });
    expect(await answer(inference)).toBe(1);
  }
  await until(() => inference.model('m').state === 'ready' && inference.model('m').reason === null);
  while ((await answer(inference)) !== 2) continue;
  expect(refused).toEqual([]);
});

test('a refused file leaves the older version serving, with the reason; a good one cures it', async () => {
  const { inference, put } = await startService({ 'm.onnx': adds(1) });
  const { version } = inference.model('m');
  put('m.onnx', adds(2, 5000).subarray(0, 9000));
  await until(() => reasonOf(inference) !== '');
  expect(inference.model('m')).toMatchObject({ state: 'ready', version });
  expect(await answer(inference)).toBe(1);
  put('m.onnx', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n');
  await until(() => /Git LFS/.test(reasonOf(inference)));
  put('m.onnx', adds(3));
  await until(() => reasonOf(inference) === '' && inference.model('m').version !== version);
  expect(await answer(inference)).toBe(3);
});

test('a model that never loaded is refused with the reason, and asking for it says so', async () => {
  const { inference, put } = await startService({
    'm.onnx': onnxModel({
      inputs: [{ name: 'images', shape: [1, 3, 4, 4] }],
      outputs: [{ name: 'x', shape: [1] }],
      nodes: [{ op: 'NoSuchOperator', inputs: ['images'], outputs: ['x'] }],
    }),
  });
  expect(inference.model('m')).toMatchObject({ state: 'refused', version: '', spec: null, inputs: [] });
  expect(reasonOf(inference)).toMatch(/NoSuchOperator/);
  const error = await rejection(inference.analyze({ bytes: await png(), model: 'm' }));
  expect(error).toMatchObject({ code: 'model_unavailable', field: 'model' });
  expect(error['message']).toMatch(/NoSuchOperator/);
  put('m.onnx', adds(1));
  await until(() => inference.model('m').state === 'ready');
  expect(await answer(inference)).toBe(1);
});

test('a sidecar that appears, changes, is wrong or goes away is followed like the model', async () => {
  const { inference, put, folder } = await startService({ 'm.onnx': adds(0) });
  const color = (): string | undefined => inference.model('m').spec?.image?.color;
  const versions = [inference.model('m').version];
  expect(color()).toBe('bgr');
  put('m.json', '{"color": "rgb"}');
  await until(() => color() === 'rgb');
  versions.push(inference.model('m').version);
  put('m.json', '{"color": "red"}');
  await until(() => reasonOf(inference) !== '');
  expect(reasonOf(inference)).toMatch(/color/);
  expect(color()).toBe('rgb');
  rmSync(path.join(folder, 'm.json'));
  await until(() => color() === 'bgr' && reasonOf(inference) === '');
  expect(inference.model('m').version).toBe(versions[0]);
  expect(versions[1]).not.toBe(versions[0]);
});

test('the same bytes again are no new version', async () => {
  const { inference, put } = await startService({ 'm.onnx': adds(1) });
  const events: string[] = [];
  inference.observe({ model: ({ event }) => events.push(event) });
  put('m.onnx', adds(1));
  // It was loaded after the first one in the same scans, so the first one was found too.
  put('n.onnx', adds(2));
  await until(() => inference.models().some(({ name, state }) => name === 'n' && state === 'ready'));
  await inference.load('m');
  expect(events.filter((event) => event === 'ready')).toHaveLength(1);
});

test('a file that goes away takes its model with it, after the answers that it owes', async () => {
  const { inference, folder } = await startService({ 'm.onnx': adds(1) });
  rmSync(path.join(folder, 'm.onnx'));
  await until(() => !inference.models().some(({ name }) => name === 'm'));
  expect(await rejection(answer(inference))).toMatchObject({ code: 'model_not_found' });
});

test('a file that goes away while it loads ends the load', async () => {
  const { inference, folder, put } = await startService({ 'm.onnx': adds(1) });
  put('endless.onnx', loopModel(4e12));
  const loading = rejection(inference.load('endless'));
  // It runs, and needs its file no more.
  await until(() => trials().some((pid) => ticksOf(pid) > 100));
  rmSync(path.join(folder, 'endless.onnx'));
  expect(await loading).toMatchObject({ name: 'ModelRefusedError', message: 'its file is gone' });
  expect(trials()).toEqual([]);
  expect(inference.models().map(({ name }) => name)).not.toContain('endless');
  expect(await answer(inference)).toBe(1);
});

test('a file that is asked for while the folder is looked at is not taken for removed', async () => {
  const { inference, put } = await startService({}, { pollMs: 1 });
  for (let index = 0; index < 100; index += 1) {
    const name = `m${index}`;
    // It is refused by its sidecar, before a process is started for it.
    put(`${name}.json`, '{"layout": 1}');
    put(`${name}.onnx`, 'x');
    await rejection(inference.load(name));
    expect(inference.model(name).state).toBe('refused');
  }
});

test('asked for by name, a file is taken as it is', async () => {
  const { inference, folder } = await startService({}, { pollMs: 60_000 });
  expect(await rejection(inference.load('m'))).toMatchObject({ code: 'model_not_found' });
  await writeFile(path.join(folder, 'm.onnx'), adds(1));
  expect(await inference.load('m')).toMatchObject({ name: 'm', state: 'ready' });
  await writeFile(path.join(folder, 'half'), adds(2).subarray(0, 100));
  await rename(path.join(folder, 'half'), path.join(folder, 'm.onnx'));
  const refused = await inference.load('m').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ModelRefusedError);
  expect(await answer(inference)).toBe(1);
});
