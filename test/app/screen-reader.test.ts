import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createScreenReader } from '../../app/screen-reader.ts';
import { createInference } from '../../inference/index.ts';
import { InferenceError } from '../../inference/common/errors.ts';
import type { Inference } from '../../inference/inference.ts';
import {
  PictureUnreadableError,
  ProviderOverloadedError,
  type TextRecognizer,
} from '../../messages/index.ts';
import { answering, converse, lastText, uses, type Tool } from '../messages/providers/script/conversing.ts';
import { inferenceRoot } from '../support/inference-worker.ts';

/** A dialog of a desktop editor, 1024 x 768, as its sandbox showed it. */
const SCREEN = fs.readFileSync(path.join(__dirname, 'screens/find-and-replace.png'));

describe('with the real recognition', () => {
  let inference: Inference;
  let reader: TextRecognizer;
  let folder: string;

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'screen-reader-'));
    inference = createInference({ root: inferenceRoot(), modelsDir: folder });
    await inference.settled();
    reader = createScreenReader(inference);
  }, 180_000);
  afterAll(async () => {
    await inference.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });

  const shows: Tool = () => ({
    content: [
      {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: SCREEN.toString('base64') },
      },
    ],
  });
  const pointed = async (step: string): Promise<readonly [number, number]> => {
    const run = await converse(`- ${step}`, shows, {}, reader);
    const moves = run.replies
      .flatMap(uses)
      .map(([, input]) => (input as { coordinate?: [number, number] }).coordinate);
    return moves.find((coordinate) => coordinate !== undefined) ?? [-1, -1];
  };

  // Where things are in the picture: left, top, right, bottom.
  it.each([
    ['click: File', [196, 150, 228, 176]],
    ['click: Search', [276, 150, 328, 176]],
    ['click: Replace', [554, 514, 636, 545]],
    ['click: Find', [465, 514, 547, 545]],
    ['click: Close', [642, 514, 726, 545]],
    ['click: Match whole word', [326, 422, 450, 442]],
    ['double_click: morning', [238, 180, 306, 198]],
    ['type_into: {field: "Search for:", text: a}', [423, 283, 684, 313]],
    ['type_into: {field: Replace with, text: a}', [423, 321, 684, 351]],
  ])('%s', async (step, [left = 0, top = 0, right = 0, bottom = 0]) => {
    const [x, y] = await pointed(step);
    expect(x).toBeGreaterThan(left);
    expect(x).toBeLessThan(right);
    expect(y).toBeGreaterThan(top);
    expect(y).toBeLessThan(bottom);
  });

  it('says what it read', async () => {
    const run = await converse('- key: a\n- expect: good evening', shows, {}, reader);
    expect(lastText(run)).toMatch(
      /it reads: .*note\.txt - Mousepad.*\| good morning \|.*Search for:.*Replace with:/,
    );
  });

  it('fails a step whose picture is none, and does not try again', async () => {
    const run = await converse(
      '- click: OK',
      () => ({
        content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGVsbG8=' } }],
      }),
      {},
      reader,
    );
    expect(lastText(run)).toContain('failed: the picture cannot be read: ');
  });

  it('is given up with the request', async () => {
    const reason = new Error('given up');
    await expect(reader.read(SCREEN, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('where the model', () => {
  const failing = (error: InferenceError, state: 'ready' | 'refused'): TextRecognizer =>
    createScreenReader({
      analyze: () => Promise.reject(error),
      model: () => ({ state }) as ReturnType<Inference['model']>,
    });

  it('is busy, it is asked again after a while', async () => {
    const reader = failing(
      new InferenceError('queue_full', 'the queue is full', { retryAfterS: 2 }),
      'ready',
    );
    const asked = reader.read(SCREEN);
    await expect(asked).rejects.toThrow(ProviderOverloadedError);
    await expect(asked).rejects.toMatchObject({ retryAfterMs: 2000, retryable: true });
  });

  it('was refused, it is not waited for', async () => {
    const reader = failing(
      new InferenceError('model_unavailable', 'ocr was refused: no such file'),
      'refused',
    );
    await expect(reader.read(SCREEN)).rejects.toThrow(PictureUnreadableError);
    await expect(reader.read(SCREEN)).rejects.toThrow('ocr was refused: no such file');
  });
});

it('is not asked where the text of a result is enough', async () => {
  const never = { read: () => Promise.reject(new Error('asked')) };
  expect(lastText(await converse('- bash: ls\n- expect: a', answering('a'), {}, never))).toContain(
    'finished',
  );
});
