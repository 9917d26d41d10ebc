import { assertAsyncProperty, fc } from '../../support/fast-check.ts';
import { deflateSync } from 'node:zlib';
import { InferenceError } from '../../../inference/common/errors.ts';
import { decodeImage, type DecodedImage } from '../../../inference/images/decode-image.ts';
import { probeImage } from '../../../inference/images/probe-image.ts';
import { goldenBytes, goldenFiles } from './golden.ts';
import { PNG_SIGNATURE, blackPng, chunk, pngHeader } from './pictures.ts';

const LIMITS = { maxPixels: 1_000_000, maxDecodeMs: 10_000 };

const REFUSALS = new Set(['image_unreadable', 'image_too_large', 'format_not_supported']);

/** The image, or one of the three errors that a file may cause. Anything else is thrown. */
async function readOrError(bytes: Uint8Array): Promise<DecodedImage | InferenceError> {
  try {
    return await decodeImage(bytes, { read: 'color', limits: LIMITS });
  } catch (error) {
    if (!(error instanceof InferenceError) || !REFUSALS.has(error.code)) throw error;
    if (error.field !== 'file' || /undefined|NaN|\n/.test(error.message)) throw error;
    return error;
  }
}

describe('truncated files', () => {
  // Every cut of a WebP or PNG is found, because its end is marked. A JPEG may lose its end marker alone.
  const kinds = ['33x19-420.jpg', '33x19-progressive.jpg', 'cmyk-adobe.jpg', 'rgb8.png', 'rgba16-interlaced.png', 'palette8-alpha.png', '33x19-lossy-alpha.webp', '33x19-lossless.webp', 'rgb-lzw.tif', 'rgb-jpeg.tif', 'grey-raw.tif']; // prettier-ignore

  it.each(kinds)('%s is refused wherever it ends, never filled in', async (name) => {
    const bytes = goldenBytes(name);
    for (let cut = 1; cut < bytes.length - 2; cut += 97) {
      const read = await readOrError(bytes.subarray(0, cut));
      expect({ cut, refused: read instanceof InferenceError }).toEqual({ cut, refused: true });
    }
  });
});

describe('bytes that are no image', () => {
  it('is refused when empty', async () => {
    expect(await readOrError(new Uint8Array(0))).toMatchObject({
      code: 'image_unreadable',
      message: 'The file is empty',
    });
  });

  it.each([
    ['GIF', Buffer.from('GIF89a\x01\0\x01\0', 'latin1')],
    ['BMP', Buffer.from('BM\x3a\0\0\0', 'latin1')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['SVG', Buffer.from('\ufeff<?xml version="1.0"?>\n<!-- x -->\n<svg width="1"/>')],
    ['AVIF', Buffer.from('\0\0\0\x1cftypavif', 'latin1')],
    ['HEIF', Buffer.from('\0\0\0\x18ftypheic', 'latin1')],
    ['PDF', Buffer.from('%PDF-1.7')],
    ['ICO', Buffer.from('\0\0\x01\0\x01\0', 'latin1')],
    ['JPEG XL', Buffer.from([0xff, 0x0a, 0, 0])],
    ['ZIP', Buffer.from('PK\x03\x04', 'latin1')],
    ['HTML', Buffer.from('<!DOCTYPE html><html></html>')],
    ['XML', Buffer.from('<?xml version="1.0"?><a/>')],
    ['Netpbm', Buffer.from('P6\n1 1\n255\n')],
    ['no known image', Buffer.from('just a text')],
    ['no known image', Buffer.from([0])],
  ])('names what it found: %s', async (name, bytes) => {
    expect(await readOrError(bytes)).toMatchObject({
      code: 'format_not_supported',
      status: 415,
      message: `The file is ${name}; JPEG, PNG, WebP and TIFF are read`,
    });
  });

  it.each([
    '\xff\xd8\xff\xe0',
    '\x89PNG\r\n\x1a\n',
    'RIFF\x20\0\0\0WEBPVP8 ',
    'II\x2a\0',
    'MM\0\x2a',
    'II\x2b\0',
  ])('refuses garbage after the right first bytes %j', async (magic) => {
    const garbage = Buffer.alloc(4096, 0xa7);
    expect(await readOrError(Buffer.concat([Buffer.from(magic, 'latin1'), garbage]))).toMatchObject({
      code: 'image_unreadable',
    });
  });

  it('says what a TIFF of another kind lacks', async () => {
    const float = Buffer.from(goldenBytes('grey16.tif'));
    const entry = float.indexOf(Buffer.from([0x02, 0x01, 3, 0, 1, 0, 0, 0]));
    expect(entry).toBeGreaterThan(0);
    float.writeUInt16LE(32, entry + 8);
    expect(await readOrError(float)).toMatchObject({
      code: 'image_unreadable',
      message: expect.stringContaining('1 to 16 bits') as string,
    });
  });
});

describe('limits', () => {
  it('reads the size first', async () => {
    const lie = blackPng(1001, 1000, { rows: 1 });
    expect(() => probeImage(lie, LIMITS)).toThrow(/1001 x 1000 pixels \(1001000\); at most 1000000/);
    expect(await readOrError(lie)).toMatchObject({ code: 'image_too_large', status: 413 });
    const fits = await decodeImage(blackPng(1000, 1000), { read: 'color', limits: LIMITS });
    expect(fits).toMatchObject({ width: 1000, height: 1000 });
  });

  it('refuses a size of 0', async () => {
    expect(await readOrError(blackPng(0, 5))).toMatchObject({ code: 'image_unreadable' });
  });

  it('refuses a PNG that unfolds texts without end', async () => {
    const text = chunk(
      'zTXt',
      Buffer.concat([Buffer.from('k\0\0', 'latin1'), deflateSync(Buffer.alloc(1_000_000))]),
    );
    const before = Buffer.concat(Array.from({ length: 100 }, () => text));
    expect(await readOrError(blackPng(8, 8, { before }))).toMatchObject({
      code: 'image_unreadable',
      message: expect.stringContaining('too many chunks') as string,
    });
    const few = Buffer.concat([text, text]);
    expect(await readOrError(blackPng(8, 8, { before: few }))).toMatchObject({ width: 8, height: 8 });
  });

  it('refuses a PNG of endless tiny chunks', async () => {
    const nothing = chunk('IDAT', new Uint8Array(0));
    const many = Buffer.concat([
      PNG_SIGNATURE,
      pngHeader(8, 8),
      ...Array.from({ length: 20_001 }, () => nothing),
    ]);
    expect(await readOrError(many)).toMatchObject({
      code: 'image_unreadable',
      message: expect.stringContaining('too many chunks') as string,
    });
  });

  it('does not go in circles with a TIFF whose directories form a ring', async () => {
    const ring = Buffer.from(goldenBytes('grey-raw.tif'));
    const directory = ring.readUInt32LE(4);
    ring.writeUInt32LE(directory, directory + 2 + ring.readUInt16LE(directory) * 12);
    expect(await readOrError(ring)).toMatchObject({
      code: 'image_unreadable',
      message: expect.stringContaining('ring') as string,
    });
  });
});

describe('properties', () => {
  const names = [...goldenFiles().keys()];

  it('no bytes at all make it crash', async () => {
    const magics = ['', '\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'RIFF\xff\0\0\0WEBP', 'II\x2a\0', 'MM\0\x2a'];
    const file = fc
      .tuple(fc.constantFrom(...magics), fc.uint8Array({ maxLength: 400 }))
      .map(([magic, rest]) => Buffer.concat([Buffer.from(magic, 'latin1'), rest]));
    await assertAsyncProperty(600, file, async (bytes) => {
      const read = await readOrError(bytes);
      if (read instanceof InferenceError) return;
      expect(read.data.length).toBe(read.width * read.height * 3);
    });
  });

  it('no damage to a real file makes it crash, and what is read has the size its header gives', async () => {
    const damage = fc.array(fc.tuple(fc.nat({ max: 100_000 }), fc.integer({ min: 0, max: 255 })), {
      minLength: 1,
      maxLength: 6,
    });
    await assertAsyncProperty(800, fc.constantFrom(...names), damage, async (name, changes) => {
      const bytes = Buffer.from(goldenBytes(name));
      for (const [at, value] of changes) bytes[at % bytes.length] = value;
      const read = await readOrError(bytes);
      if (read instanceof InferenceError) return;
      const header = probeImage(bytes, LIMITS);
      const [least, most] = [Math.min(read.width, read.height), Math.max(read.width, read.height)];
      expect([least, most]).toEqual([
        Math.min(header.width, header.height),
        Math.max(header.width, header.height),
      ]);
      expect(read.data.length).toBe(read.width * read.height * 3);
    });
  });

  it('bytes within a larger buffer are read from their own place', async () => {
    const bytes = goldenBytes('33x19-420.jpg');
    const room = new Uint8Array(bytes.length + 64).fill(0xff);
    room.set(bytes, 32);
    const [a, b] = await Promise.all([readOrError(bytes), readOrError(room.subarray(32, 32 + bytes.length))]);
    expect((b as DecodedImage).data).toEqual((a as DecodedImage).data);
  });
});
