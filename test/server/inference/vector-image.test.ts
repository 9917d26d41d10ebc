import sharp from 'sharp';
import { form, type HttpAnswer, request } from './http.ts';
import { startServer, stopServers } from '../harness.ts';

afterAll(stopServers);

let port: number;
beforeAll(async () => {
  ({ port } = await startServer());
});

const JSON_HEADERS = { 'content-type': 'application/json' };

async function draw(body: unknown, query = ''): Promise<HttpAnswer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return await request(port, {
    method: 'POST',
    path: `/vector_image${query}`,
    headers: JSON_HEADERS,
    body: text,
  });
}

interface Pixels {
  readonly format: string | undefined;
  readonly width: number;
  readonly height: number;
  at(x: number, y: number): readonly number[];
}

async function pixels({ status, bytes }: HttpAnswer): Promise<Pixels> {
  if (status !== 200) throw new Error(`${status}: ${bytes.toString()}`);
  const { format } = await sharp(bytes).metadata();
  const { data, info } = await sharp(bytes)
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return {
    format,
    width: info.width,
    height: info.height,
    at: (x, y) => [...data.subarray((y * info.width + x) * info.channels).subarray(0, 3)],
  };
}

test('a list of numbers is streamed as a PNG, from dark to light', async () => {
  const answer = await draw([0, 0.5, 1, 0.25]);
  expect(answer.headers['content-type']).toBe('image/png');
  expect(answer.headers['transfer-encoding']).toBe('chunked');
  const picture = await pixels(answer);
  expect(picture.format).toBe('png');
  // Two by two, each cell 64 pixels a side.
  expect([picture.width, picture.height]).toEqual([128, 128]);
  expect([picture.at(10, 10), picture.at(100, 10), picture.at(10, 100), picture.at(100, 100)]).toEqual([
    [0, 0, 0],
    [128, 128, 128],
    [255, 255, 255],
    [64, 64, 64],
  ]);
});

test('an object says how the vector lies', async () => {
  const picture = await pixels(
    await draw({
      values: [0, 10, 20, 30, 40, 60],
      width: 3,
      height: 2,
      scale: 2,
      min: 0,
      max: 100,
      colormap: 'gray',
    }),
  );
  expect([picture.width, picture.height]).toEqual([6, 4]);
  expect([picture.at(0, 0)[0], picture.at(5, 3)[0]]).toEqual([0, 153]);
  const colours = await pixels(
    await draw({
      values: [255, 0, 0, 0, 255, 0],
      width: 2,
      channels: 3,
      layout: 'hwc',
      scale: 1,
      min: 0,
      max: 255,
    }),
  );
  expect([colours.at(0, 0), colours.at(1, 0)]).toEqual([
    [255, 0, 0],
    [0, 255, 0],
  ]);
});

test('float32 as base64 is the same as its numbers', async () => {
  const values = [0, 1, NaN, 0.5, -1, 3];
  const base64 = Buffer.from(new Float32Array(values).buffer).toString('base64');
  const coded = await draw({ data_base64: base64, width: 6 });
  const listed = await draw({ values: [0, 1, 7, 0.5, -1, 3], width: 6 });
  const [one, other] = [await pixels(coded), await pixels(listed)];
  expect([one.width, one.height]).toEqual([other.width, other.height]);
  // What is no number has a colour of its own.
  expect(one.at(2 * 43 + 20, 5)).toEqual([255, 0, 255]);
});

test('detections are drawn on white, or over an image', async () => {
  const detections = [{ box: [10, 10, 50, 40], label: 'car', class_id: 2, score: 0.9 }];
  const plain = await pixels(await draw({ detections, width: 100, height: 60 }));
  expect([plain.width, plain.height, plain.at(90, 50), plain.at(30, 25)]).toEqual([
    100,
    60,
    [255, 255, 255],
    [255, 255, 255],
  ]);
  expect(plain.at(10, 25)).not.toEqual([255, 255, 255]);

  const image = await sharp({ create: { width: 100, height: 60, channels: 3, background: '#001122' } })
    .png()
    .toBuffer();
  for (const text of [JSON.stringify(detections), JSON.stringify({ model: 'any', detections })]) {
    const { headers, body } = form({ file: image, detections: text });
    const over = await pixels(await request(port, { method: 'POST', path: '/vector_image', headers, body }));
    expect([over.width, over.height, over.at(90, 50)]).toEqual([100, 60, [0, 0x11, 0x22]]);
    expect(over.at(10, 25)).toEqual(plain.at(10, 25));
  }
});

test.each(['png', 'jpeg', 'webp'])('format=%s', async (format) => {
  const answer = await draw([0, 1], `?format=${format}`);
  expect(answer.headers['content-type']).toBe(`image/${format}`);
  expect((await pixels(answer)).format).toBe(format);
});

test('re-encoded JPEGs have quality 100', async () => {
  const answer = await draw([0, 1, 2, 3], '?format=jpeg');
  // At 100 every entry of the first quantization table (marker DB, 2 bytes of length, 1 of its number) is 1.
  const at = answer.bytes.indexOf(Buffer.from([0xff, 0xdb]));
  expect(new Set(answer.bytes.subarray(at + 5, at + 5 + 64))).toEqual(new Set([1]));
});

test.each([
  [{}, [['missing', ['body', 'values']]]],
  [{ values: 3 }, [['list_type', ['body', 'values']]]],
  [{ values: [] }, [['value_error', ['body', 'values']]]],
  [
    { values: [1], width: 0, height: 99_999, scale: 1.5 },
    [
      ['greater_than_equal', ['body', 'width']],
      ['less_than_equal', ['body', 'height']],
      ['int_from_float', ['body', 'scale']],
    ],
  ],
  [{ values: [1, 2, 3], width: 2, height: 2 }, [['value_error', ['body', 'values']]]],
  [
    { values: [1], channels: 2, layout: 'x', colormap: 'jet' },
    [
      ['literal_error', ['body', 'channels']],
      ['literal_error', ['body', 'layout']],
      ['literal_error', ['body', 'colormap']],
    ],
  ],
  [{ data_base64: 'not base64!' }, [['value_error', ['body', 'data_base64']]]],
  [{ data_base64: 'AAAAAAA=' }, [['value_error', ['body', 'data_base64']]]],
  [{ data_base64: 7 }, [['string_type', ['body', 'data_base64']]]],
  [
    { detections: [] },
    [
      ['missing', ['body', 'width']],
      ['missing', ['body', 'height']],
    ],
  ],
  [{ detections: [], width: 16_384, height: 16_384 }, [['value_error', ['body', 'width']]]],
  [
    { detections: [{}, 7, { box: [1, 2, 3] }, { box: [1, 2, 3, 'x'], label: 1 }], width: 9, height: 9 },
    [
      ['missing', ['body', 'detections', 0, 'box']],
      ['model_attributes_type', ['body', 'detections', 1]],
      ['value_error', ['body', 'detections', 2, 'box']],
      ['string_type', ['body', 'detections', 3, 'label']],
      ['float_parsing', ['body', 'detections', 3, 'box', 3]],
    ],
  ],
  [
    { detections: Array.from({ length: 1001 }, () => ({ box: [0, 0, 1, 1] })), width: 9, height: 9 },
    [['too_long', ['body', 'detections']]],
  ],
  ['"text"', [['model_attributes_type', ['body']]]],
])('%j names every fault', async (body, faults) => {
  const answer = await draw(body);
  expect(answer.status).toBe(422);
  const { detail } = answer.json() as { detail: { type: string; loc: unknown[]; msg: string }[] };
  expect(detail.map(({ type, loc }) => [type, loc])).toEqual(faults);
});

test('an answer repeats no more than a little of what was sent', async () => {
  for (const values of ['x'.repeat(5_000_000), { a: Array.from({ length: 500_000 }, () => [1]) }]) {
    const answer = await draw({ values });
    expect(answer.status).toBe(422);
    expect(answer.bytes.length).toBeLessThan(5000);
  }
  const list = await draw([Array.from({ length: 500_000 }, () => 'y')]);
  expect([list.status, list.bytes.length < 5000]).toEqual([422, true]);
  const whole = await draw('{"values": 9007199254740993}');
  expect(whole.json()).toMatchObject({ detail: [{ type: 'list_type', input: 9_007_199_254_740_992 }] });
});

test('an image alone comes back in another format, its pixels as they were', async () => {
  const noise = Buffer.from(Array.from({ length: 40 * 30 * 3 }, (_, index) => (index * 7919) % 251));
  const tiff = await sharp(noise, { raw: { width: 40, height: 30, channels: 3 } })
    .tiff({ compression: 'none' })
    .toBuffer();
  const { headers, body } = form({ file: tiff });
  const answer = await request(port, { method: 'POST', path: '/vector_image', headers, body });
  expect((await sharp(answer.bytes).metadata()).format).toBe('png');
  expect(await sharp(answer.bytes).raw().toBuffer()).toEqual(noise);
  const jpeg = await request(port, { method: 'POST', path: '/vector_image?format=jpeg', headers, body });
  const pixels = await sharp(jpeg.bytes).raw().toBuffer();
  const furthest = Math.max(...pixels.map((value, index) => Math.abs(value - (noise[index] ?? 0))));
  // What quality 100 without colour subsampling leaves of the hardest picture there is.
  expect(furthest).toBeLessThan(8);
});

test('a form lacks what it lacks', async () => {
  const { headers, body } = form({ detections: '[]' });
  const answer = await request(port, { method: 'POST', path: '/vector_image', headers, body });
  expect(answer.json()).toMatchObject({ detail: [{ type: 'missing', loc: ['body', 'file'] }] });
  const broken = form({ file: new Uint8Array([1, 2, 3]), detections: '[{' });
  const without = await request(port, { method: 'POST', path: '/vector_image', ...broken });
  expect(without.json()).toMatchObject({ detail: [{ type: 'json_invalid', loc: ['body', 2] }] });
});
