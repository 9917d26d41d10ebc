import { readdirSync } from 'node:fs';
import os from 'node:os';
import sharp from 'sharp';
import { type Film, filmOfPictures, filmOfSegments } from '../../../sandbox/film/index.ts';
import { readWebm } from '../../../sandbox/film/webm-reader.ts';

/** That films play in a real browser is shown in test/web/session-page.test.ts. */

const AT = Date.UTC(2026, 0, 1);

const plain = (color: string, width = 64, height = 48): Promise<Buffer> =>
  sharp({ create: { width, height, channels: 4, background: color } })
    .png()
    .toBuffer();

const shots = (...pictures: readonly (readonly [second: number, picture: Promise<Buffer>])[]) =>
  pictures.map(([second, picture]) => ({ at: AT + second * 1000, read: async () => await picture }));

async function bytesOf(film: Film | undefined): Promise<Buffer> {
  if (film === undefined) throw new Error('no film');
  const parts: Uint8Array[] = [];
  for await (const part of film.body()) parts.push(part);
  await film.close();
  return Buffer.concat(parts);
}

/** The colour in the middle of a VP8 key frame, decoded as the WebP file that it makes with an envelope. */
async function colorOf(data: Uint8Array): Promise<readonly number[]> {
  const head = Buffer.from('RIFF....WEBPVP8 ....', 'latin1');
  head.writeUInt32LE(12 + data.length, 4);
  head.writeUInt32LE(data.length, 16);
  const file = Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
  const { data: pixels, info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  const middle = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return [...pixels.subarray(middle, middle + 3)];
}

const leftOver = (): string[] =>
  readdirSync(os.tmpdir()).filter((name) => name.startsWith('steadyhand-film-'));

test('a film of screenshots holds each at its time, in the first one’s size', async () => {
  const before = leftOver();
  const film = await filmOfPictures(
    shots([0, plain('#f00')], [1.5, plain('#0f0', 128, 96)], [61.5, plain('#00f')]),
  );
  expect(film?.durationMs).toBe(63_500);
  const { width, height, frames } = readWebm(await bytesOf(film));
  expect([width, height]).toEqual([64, 48]);
  expect(frames.map(({ atMs, isKey }) => [atMs, isKey])).toEqual([
    [0, true],
    [1500, true],
    [61_500, true],
  ]);
  const strongest = await Promise.all(
    frames.map(async ({ data }) => {
      const color = await colorOf(data);
      return color.indexOf(Math.max(...color));
    }),
  );
  expect(strongest).toEqual([0, 1, 2]);
  expect(leftOver()).toEqual(before);
});

test('long pauses can be shortened, and times that go back are no time', async () => {
  const film = await filmOfPictures(
    shots([0, plain('#f00')], [100, plain('#0f0')], [99, plain('#00f')], [101, plain('#000')]),
    { longestPauseMs: 3000 },
  );
  const { frames } = readWebm(await bytesOf(film));
  expect(frames.map(({ atMs }) => atMs)).toEqual([0, 3000, 3000, 4000]);
});

test('an index leads to clusters that begin with key frames', async () => {
  const bytes = await bytesOf(await filmOfPictures(shots([0, plain('#f00')], [9, plain('#0f0')])));
  const cluster = Buffer.from('1f43b675', 'hex');
  const [first, second] = [bytes.indexOf(cluster), bytes.lastIndexOf(cluster)];
  // The payload of the segment begins behind its id and its size of eight bytes.
  const payload = bytes.indexOf(Buffer.from('18538067', 'hex')) + 12;
  const places: number[] = [];
  for (let at = bytes.indexOf(Buffer.from('f101', 'hex')); at !== -1 && at < first;) {
    places.push(Number(bytes.readBigUInt64BE(at + 9)) + payload);
    at = bytes.indexOf(Buffer.from('f101', 'hex'), at + 17);
  }
  expect(places).toEqual([first, second]);
});

test('segments of a recording become one film, to the last whole frame of one that was cut off', async () => {
  const one = await bytesOf(await filmOfPictures(shots([0, plain('#f00')], [1, plain('#0f0')])));
  const two = await bytesOf(await filmOfPictures(shots([0, plain('#00f')], [7, plain('#fff')])));
  const segments = [
    { at: AT, read: async () => await Promise.resolve(one) },
    { at: AT + 10_000, read: async () => await Promise.resolve(two.subarray(0, two.length - 5)) },
    { at: AT + 20_000, read: async () => await Promise.resolve(Buffer.from('nothing yet')) },
  ];
  const { frames } = readWebm(await bytesOf(await filmOfSegments(segments)));
  expect(frames.map(({ atMs }) => atMs)).toEqual([0, 1000, 10_000]);
});

test('without a picture there is no film, and what fails leaves no file behind', async () => {
  const before = leftOver();
  expect(await filmOfPictures([])).toBeUndefined();
  expect(await filmOfSegments([])).toBeUndefined();
  const broken = filmOfPictures([
    { at: AT, read: async () => await Promise.resolve(Buffer.from('no picture')) },
  ]);
  await expect(broken).rejects.toThrow('unsupported image format');
  const gone = filmOfPictures(shots([0, plain('#f00')]), {
    signal: AbortSignal.abort(new Error('the client left')),
  });
  await expect(gone).rejects.toThrow('the client left');
  expect(leftOver()).toEqual(before);
});
