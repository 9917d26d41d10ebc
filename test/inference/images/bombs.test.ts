import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import type { InferenceError } from '../../../inference/common/errors.ts';
import { decodeImage } from '../../../inference/images/decode-image.ts';
import { loadSharp } from '../../../inference/images/sharp.ts';
import { drawDetections } from '../../../inference/images/draw.ts';
import { blackPng, chunk, pngHeader, PNG_SIGNATURE, scanBomb } from './pictures.ts';

beforeAll(loadSharp);

/** Milliseconds that this thread has computed. */
const busy = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/**
 * The most milliseconds that this thread computed between two turns of the event loop while the task ran, by the
 * kernel's count of the thread's time on a processor, which other programs do not affect.
 */
async function longestTurn(task: () => Promise<unknown>): Promise<number> {
  let before = busy();
  let longest = 0;
  const look = (): void => {
    const now = busy();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const timer = setInterval(look, 2);
  try {
    await task();
  } finally {
    clearInterval(timer);
    look();
  }
  return longest;
}

/** Milliseconds. Work in slices stays far below it on a slow computer too, and work that blocks is far above. */
const TURN = 100;

it('the measure sees a computation that blocks', async () => {
  const block = async (): Promise<void> => {
    await new Promise(setImmediate);
    const until = busy() + 3 * TURN;
    while (busy() < until);
  };
  expect(await longestTurn(block)).toBeGreaterThan(TURN);
});

const refuse = async (bytes: Uint8Array, code: string): Promise<void> => {
  await expect(decodeImage(bytes, { read: 'color' })).rejects.toMatchObject({ code });
};

const profile = Buffer.concat([Buffer.from('x\0\0', 'latin1'), deflateSync(Buffer.alloc(50_000_000))]);

const BOMBS: readonly [name: string, bytes: Uint8Array, code: string][] = [
  ['a PNG of 30,000 x 30,000 zeros', blackPng(30_000, 30_000, { rows: 300 }), 'image_too_large'],
  ['a header of 65,000 x 65,000', Buffer.concat([PNG_SIGNATURE, pngHeader(65_000, 65_000), chunk('IDAT', Buffer.alloc(9)), chunk('IEND', Buffer.alloc(0))]), 'image_too_large'],
  ['a header of 2^31 - 1 squared', blackPng(2 ** 31 - 1, 2 ** 31 - 1, { rows: 0 }), 'image_too_large'],
  ['a JPEG of 800 empty scans', scanBomb(7000, 7000, 800), 'image_unreadable'],
  ['a JPEG header of 65,500 x 65,500', scanBomb(65_500, 65_500, 1).subarray(0, 400), 'image_too_large'],
]; // prettier-ignore

it.each(BOMBS)('%s is refused before it costs memory or the event loop', async (_name, bytes, code) => {
  const before = process.memoryUsage().rss;
  expect(await longestTurn(() => refuse(bytes, code))).toBeLessThan(TURN);
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(64);
});

const decoded = (bytes: Uint8Array): Promise<string> =>
  decodeImage(bytes, { read: 'color' }).then(
    () => 'read',
    (error: InferenceError) => error.code,
  );

const SIZE = 32 << 20;
const filled = (head: readonly number[] | string, byte: number | Uint8Array): Buffer => {
  const start = typeof head === 'string' ? Buffer.from(head, 'latin1') : Buffer.from(head);
  return Buffer.concat([start, Buffer.alloc(SIZE, byte)]);
};
const bigTiff = filled('II\x2b\0\x08\0\0\0\x10\0\0\0\0\0\0\0\x40\x42\x0f\0\0\0\0\0', 1);
const frame = [0xff, 0xc0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0];

it.each([
  ['a JPEG of zeros', filled([0xff, 0xd8, 0xff], 0)],
  ['a JPEG of fill bytes', filled([0xff, 0xd8, 0xff], 0xff)],
  ['a JPEG of empty segments', filled([0xff, 0xd8], Uint8Array.of(0xff, 0xe0, 0, 2))],
  ['a JPEG of restart markers', filled([0xff, 0xd8], Uint8Array.of(0xff, 0xd0))],
  ['a JPEG whose scan is all fill bytes', filled([0xff, 0xd8, ...frame], 0xff)],
  ['a WebP of empty chunks', filled('RIFF\xf8\xff\xff\x01WEBP', Buffer.from('ABCD\0\0\0\0', 'latin1'))],
  ['a BigTIFF directory of a million entries', bigTiff],
  ['a text of spaces', filled('', 0x20)],
])('%s over 32 MB does not hold up the event loop', async (_name, bytes) => {
  let outcome = '';
  expect(
    await longestTurn(async () => {
      outcome = await decoded(bytes);
    }),
  ).toBeLessThan(TURN);
  expect(outcome).toMatch(/image_unreadable|format_not_supported/);
});

it('a colour profile that unfolds to 50 MB is not unfolded', async () => {
  const bytes = blackPng(8, 8, { before: chunk('iCCP', profile) });
  const before = process.memoryUsage().rss;
  expect(await longestTurn(() => decodeImage(bytes, { read: 'color' }))).toBeLessThan(TURN);
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(64);
});

it('a large picture that is allowed does not hold up the event loop', async () => {
  const bytes = blackPng(4000, 3000);
  expect(await longestTurn(() => decodeImage(bytes, { read: 'color' }))).toBeLessThan(TURN);
});

it('the most scans that are allowed do not hold up the event loop', async () => {
  const bytes = scanBomb(4000, 4000, 64);
  expect(await longestTurn(() => decodeImage(bytes, { read: 'color' }))).toBeLessThan(TURN);
  await refuse(scanBomb(4000, 4000, 65), 'image_unreadable');
});

it('drawing 300 boxes over 12 million pixels does not hold up the event loop', async () => {
  const image = { width: 4000, height: 3000, channels: 3, data: new Uint8Array(36_000_000) } as const;
  const detections = Array.from({ length: 300 }, (_, i) => ({ box: [i * 5, i * 4, i * 5 + 2000, i * 4 + 1500] as const, label: `object number ${i}`, class_id: i, score: i / 300 })); // prettier-ignore
  expect(await longestTurn(() => drawDetections(image, detections))).toBeLessThan(TURN);
});
