import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { inferenceRoot } from '../../support/inference-worker.ts';
import { identityModel } from '../../support/onnx.ts';
import { png, rejection, startService, stopServices, until } from '../service.ts';

afterEach(stopServices);

/** Black text on white, rendered by the system's fonts. */
function picture(text: string): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100">
    <rect width="400" height="100" fill="white"/>
    <text x="20" y="60" font-family="DejaVu Sans, sans-serif" font-size="28">${text}</text></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

test('text is read by the default model, from the start and offline', async () => {
  const { inference } = await startService({}, { defaultModel: 'ocr' });
  expect(inference.ready()).toBe(true);
  expect(inference.model('ocr')).toMatchObject({ source: 'builtin', state: 'ready', kind: 'ocr' });
  const answer = await inference.analyze({ bytes: await picture('Good morning') });
  expect(answer.lines?.map(({ text }) => text)).toEqual(['Good morning']);
  expect(answer.detections).toEqual([
    expect.objectContaining({ label: 'text', box: answer.lines?.[0]?.box }),
  ]);
  const raw = await rejection(inference.analyze({ bytes: await png(), output: 'raw' }));
  expect(raw).toMatchObject({ code: 'image_unsuitable', field: 'output' });
  expect(await rejection(inference.infer({ model: 'ocr', inputs: [] }))).toMatchObject({
    code: 'tensor_invalid',
  });
});

test('the two halves are loaded when they are first asked for', async () => {
  const { inference } = await startService({});
  expect(inference.model('ocr-detect')).toMatchObject({ state: 'unloaded', source: 'builtin', spec: null });
  const bytes = await picture('Good morning');
  const found = await inference.analyze({ bytes, model: 'ocr-detect' });
  expect(found.detections?.length).toBeGreaterThan(0);
  expect(inference.model('ocr-detect').state).toBe('ready');
  expect(inference.model('ocr-recognize').state).toBe('unloaded');
  const raw = await inference.analyze({ bytes, model: 'ocr-detect', output: 'raw' });
  expect(raw.outputs?.[0]).toMatchObject({ datatype: 'FP32', shape: [1, 1, 640, 640] });
});

test('a file of the same name wins, and the built-in comes back when it goes', async () => {
  const { inference, put, folder } = await startService({
    'ocr-detect.onnx': identityModel({ shape: [1, 3, 4, 4] }),
  });
  expect(inference.model('ocr-detect')).toMatchObject({ source: 'file', state: 'ready' });
  put('keep.onnx', identityModel());
  rmSync(`${folder}/ocr-detect.onnx`);
  await until(() => inference.model('ocr-detect').source === 'builtin');
  const { detections } = await inference.analyze({ bytes: await picture('Hello'), model: 'ocr-detect' });
  expect(detections?.length).toBeGreaterThan(0);
});

test('a load that failed through no fault of the model is tried again', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'builtin-test-'));
  const workerFile = path.join(folder, 'worker.mjs');
  const real = pathToFileURL(path.join(inferenceRoot(), 'dist/inference-worker.mjs')).href;
  writeFileSync(
    workerFile,
    `import { existsSync, writeFileSync } from 'node:fs';
     const been = ${JSON.stringify(path.join(folder, 'been'))};
     if (!existsSync(been)) { writeFileSync(been, ''); process.exit(5); }
     await import('${real}');`,
  );
  const { inference } = await startService({}, { defaultModel: 'ocr-detect', workerFile });
  expect(inference.model('ocr-detect')).toMatchObject({
    state: 'refused',
    reason: 'it could not be loaded: it ended with code 5',
  });
  await until(() => inference.ready());
  expect(inference.model('ocr-detect')).toMatchObject({ state: 'ready', reason: null });
  rmSync(folder, { recursive: true });
});

test('a default model that is not there makes the service not ready, and requests say so', async () => {
  const { inference } = await startService({}, { defaultModel: 'mine' });
  expect(inference.ready()).toBe(false);
  expect(await rejection(inference.analyze({ bytes: await png() }))).toMatchObject({
    code: 'model_not_found',
  });
});
