import { buffer } from 'node:stream/consumers';
import { decodeImage } from '../../../inference/images/decode-image.ts';
import { encodeImage, pngStream, type EncodeOptions } from '../../../inference/images/encode-image.ts';
import { probeImage } from '../../../inference/images/probe-image.ts';
import type { RawImage } from '../../../inference/images/raw-image.ts';
import { seeded } from '../../support/seeded.ts';
import { goldenBytes, goldenFiles } from './golden.ts';

function noise(width: number, height: number, channels: RawImage['channels'], bits: 8 | 16): RawImage {
  const random = seeded(width * 31 + channels);
  const samples = Array.from({ length: width * height * channels }, () => Math.floor(random() * 2 ** bits));
  return {
    width,
    height,
    channels,
    data: bits === 16 ? Uint16Array.from(samples) : Uint8Array.from(samples),
  };
}

const samplesOf = (image: RawImage): number[] => Array.from(image.data);

it.each([
  [1, 8],
  [3, 8],
  [4, 8],
  [1, 16],
  [3, 16],
  [4, 16],
] as const)('keeps %d channel(s) of %d bit in a PNG', async (channels, bits) => {
  const image = noise(23, 9, channels, bits);
  const file = await encodeImage(image, { format: 'png' });
  const read = await decodeImage(file, { read: 'unchanged' });
  expect(read).toMatchObject({ width: 23, height: 9, channels });
  expect(samplesOf(read)).toEqual(samplesOf(image));
});

it('keeps grey with alpha in a PNG', async () => {
  const image = noise(5, 4, 2, 8);
  const read = await decodeImage(await encodeImage(image, { format: 'png' }), { read: 'unchanged' });
  const spread = samplesOf(image).flatMap((sample, i) => (i % 2 === 0 ? [sample, sample, sample] : [sample]));
  expect(samplesOf(read)).toEqual(spread);
});

it('writes JPEG at quality 100 with whole colours unless told otherwise', async () => {
  const image = noise(64, 64, 3, 8);
  const sampling = (file: Uint8Array): number => Buffer.from(file)[Buffer.from(file).indexOf(Buffer.from([0xff, 0xc0])) + 11] as number; // prettier-ignore
  const best = await encodeImage(image, { format: 'jpeg' });
  const halved = await encodeImage(image, { format: 'jpeg', chroma: '4:2:0' });
  const worse = await encodeImage(image, { format: 'jpeg', quality: 50 });
  expect([sampling(best), sampling(halved)]).toEqual([0x11, 0x22]);
  expect(worse.length).toBeLessThan(best.length / 2);
  const read = await decodeImage(best, { read: 'color' });
  expect(Math.max(...samplesOf(read).map((sample, i) => Math.abs(sample - (image.data[i] as number))))).toBeLessThanOrEqual(6); // prettier-ignore
});

it('leaves alpha out of a JPEG, as reading in colour does', async () => {
  const clear: RawImage = {
    width: 8,
    height: 8,
    channels: 4,
    data: new Uint8Array(256).map((_, i) => (i % 4 === 3 ? 0 : 200)),
  };
  const read = await decodeImage(await encodeImage(clear, { format: 'jpeg' }), { read: 'color' });
  expect(new Set(samplesOf(read))).toEqual(new Set([200]));
});

it('writes WebP with alpha', async () => {
  const file = await encodeImage(noise(9, 9, 4, 8), { format: 'webp' });
  expect(probeImage(file)).toMatchObject({ format: 'webp', width: 9, height: 9, channels: 4 });
});

it('streams a PNG in slices, the same file', async () => {
  const image = noise(300, 200, 3, 8);
  const stream = pngStream(image);
  const sizes: number[] = [];
  stream.on('data', (slice: Uint8Array) => sizes.push(slice.length));
  const file = await buffer(stream);
  expect(file.equals(await encodeImage(image, { format: 'png' }))).toBe(true);
  expect(sizes.length).toBeGreaterThan(1);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(65_536);
});

it('ends the stream with the error when the image cannot be encoded', async () => {
  const wrong: RawImage = { width: 10, height: 10, channels: 3, data: new Uint8Array(7) };
  await expect(buffer(pngStream(wrong))).rejects.toThrow(/bytes|raw|memory/i);
});

describe('a file read in colour and written in another format', () => {
  const reencode = async (
    bytes: Uint8Array,
    format: EncodeOptions['format'],
    options: Omit<EncodeOptions, 'format'> = {},
  ): Promise<Uint8Array> => encodeImage(await decodeImage(bytes, { read: 'color' }), { ...options, format });
  const readable = [...goldenFiles()].filter(([, file]) => file.color !== null).map(([name]) => name);

  it('gives the pixels of the colour reading in another format', async () => {
    for (const name of readable) {
      const color = await decodeImage(goldenBytes(name), { read: 'color' });
      const again = await decodeImage(await reencode(goldenBytes(name), 'png'), { read: 'unchanged' });
      expect({ name, samples: samplesOf(again) }).toEqual({ name, samples: samplesOf(color) });
    }
  });

  it('makes a JPEG of quality 100 by default', async () => {
    const file = await reencode(goldenBytes('exif-6.webp'), 'jpeg');
    expect(probeImage(file)).toMatchObject({ format: 'jpeg', width: 3, height: 5, orientation: 1 });
    const small = await reencode(goldenBytes('33x19-lossless.webp'), 'jpeg', { quality: 30 });
    expect(small.length).toBeLessThan((await reencode(goldenBytes('33x19-lossless.webp'), 'jpeg')).length);
  });
});
