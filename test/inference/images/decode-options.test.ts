import { Worker } from 'node:worker_threads';
import { decodeImage } from '../../../inference/images/decode-image.ts';
import { encodeImage } from '../../../inference/images/encode-image.ts';
import { ConcurrencyLimit } from '../../../inference/common/concurrency-limit.ts';
import { probeImage } from '../../../inference/images/probe-image.ts';
import { imageConcurrency } from '../../../inference/images/sharp.ts';
import { goldenBytes } from './golden.ts';
import { pacing } from '../../support/pacing.ts';
import { blackPng, scanBomb } from './pictures.ts';

const limits = { maxPixels: 50_000_000, maxDecodeMs: 10_000 };

describe('probeImage', () => {
  it.each([
    [
      '33x19-420.jpg',
      { format: 'jpeg', width: 33, height: 19, channels: 3, depth: 8, pages: 1, orientation: 1 },
    ],
    ['exif-6.jpg', { format: 'jpeg', width: 13, height: 6, orientation: 6 }],
    ['cmyk-adobe.jpg', { format: 'jpeg', channels: 3, cmyk: true }],
    ['33x19-grey.jpg', { format: 'jpeg', channels: 1 }],
    ['grey-alpha16.png', { format: 'png', width: 11, height: 7, channels: 4, depth: 16 }],
    ['palette4.png', { format: 'png', channels: 3, depth: 4 }],
    ['palette4-alpha.png', { format: 'png', channels: 4, depth: 4 }],
    ['exif-6-after-data.png', { format: 'png', width: 5, height: 3, orientation: 6 }],
    ['animated.png', { format: 'png', pages: 3 }],
    ['17x3-lossy-alpha.webp', { format: 'webp', width: 17, height: 3, channels: 4 }],
    ['33x19-lossless.webp', { format: 'webp', width: 33, height: 19, channels: 3 }],
    ['exif-8.webp', { format: 'webp', width: 5, height: 3, orientation: 8 }],
    ['animated.webp', { format: 'webp', width: 9, height: 7, pages: 3 }],
    ['pages.tif', { format: 'tiff', width: 5, height: 3, pages: 2 }],
    ['big.tif', { format: 'tiff', width: 11, height: 7, channels: 3, depth: 8 }],
    ['bilevel-group4.tif', { format: 'tiff', channels: 1, depth: 1 }],
  ])('tells what %s is', (name, facts) => {
    expect(probeImage(goldenBytes(name))).toMatchObject(facts);
  });
});

describe('the pixels', () => {
  it.each(['33x19-420.jpg', 'rgb16.png', 'cmyk-adobe.jpg', 'rgba.tif', 'grey1.png'])(
    'of %s fill a buffer of their own and go to a worker without a copy',
    async (name) => {
      const image = await decodeImage(goldenBytes(name), { read: 'unchanged' });
      expect(image.data.byteOffset).toBe(0);
      expect(image.data.buffer.byteLength).toBe(image.data.byteLength);
      const sum = Array.from(image.data).reduce((total, sample) => total + sample, 0);
      const code = `const { parentPort } = require('node:worker_threads');
        parentPort.once('message', (data) => parentPort.postMessage(data.reduce((total, sample) => total + sample, 0)));`;
      const worker = new Worker(code, { eval: true });
      const answer = new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
      worker.postMessage(image.data, [image.data.buffer as ArrayBuffer]);
      expect(image.data.byteLength).toBe(0);
      expect(await answer).toBe(sum);
      await worker.terminate();
    },
  );

  it('of a large image too', async () => {
    const image = await decodeImage(blackPng(3000, 2000), { read: 'color' });
    expect(image.data.buffer.byteLength).toBe(18_000_000);
    const moved = structuredClone(image.data, { transfer: [image.data.buffer as ArrayBuffer] });
    expect([image.data.byteLength, moved.byteLength]).toEqual([0, 18_000_000]);
  });
});

describe('shrinkTo', () => {
  const waves = new Uint8Array(1600 * 1200 * 3).map(
    (_, i) => 128 + 100 * Math.sin(i / 4800 / 40) * Math.cos((i % 4800) / 500),
  );
  const jpeg = encodeImage({ width: 1600, height: 1200, channels: 3, data: waves }, { format: 'jpeg' });

  it('reduces a large JPEG to no less than asked and tells its own size', async () => {
    const exact = await decodeImage(await jpeg, { read: 'color' });
    const small = await decodeImage(await jpeg, { read: 'color', shrinkTo: { width: 320, height: 320 } });
    expect(small).toMatchObject({ width: 427, height: 320, original: { width: 1600, height: 1200 } });
    expect(exact).toMatchObject({ width: 1600, height: 1200, original: { width: 1600, height: 1200 } });
    // Each pixel is near the mean of those that it stands for.
    const at = (x: number, y: number): number => exact.data[(y * 1600 + x) * 3] as number;
    for (const [x, y] of [[100, 80], [300, 200], [20, 300]] as const) // prettier-ignore
      expect(Math.abs((small.data[(y * 427 + x) * 3] as number) - at(Math.round((x + 0.5) * 3.747), Math.round((y + 0.5) * 3.75)))).toBeLessThan(6); // prettier-ignore
  });

  it('leaves every other image exact', async () => {
    const [near, png] = [{ width: 800, height: 600 }, blackPng(1600, 1200)];
    expect(await decodeImage(await jpeg, { read: 'color', shrinkTo: near })).toMatchObject({ width: 1600 });
    expect(await decodeImage(png, { read: 'color', shrinkTo: { width: 8, height: 8 } })).toMatchObject({
      width: 1600,
    });
    expect(await decodeImage(await jpeg, { read: 'unchanged', shrinkTo: { width: 8, height: 8 } })).toMatchObject({ width: 1600 }); // prettier-ignore
  });
});

describe('giving up', () => {
  it('rejects with the reason of a signal that is already aborted', async () => {
    const reason = new Error('gone');
    const signal = AbortSignal.abort(reason);
    await expect(decodeImage(goldenBytes('rgb8.png'), { read: 'color', signal })).rejects.toBe(reason);
  });

  it('rejects at once while it decodes, and frees its place when the thread is done', async () => {
    const slow = scanBomb(5000, 5000, 64);
    const controller = new AbortController();
    const decoding = decodeImage(slow, { read: 'color', signal: controller.signal });
    await until(() => imageConcurrency.running === 1);
    controller.abort(new Error('left'));
    await expect(decoding).rejects.toThrow('left');
    expect(imageConcurrency.running).toBe(1);
    await until(() => imageConcurrency.running === 0);
    expect(await decodeImage(goldenBytes('rgb8.png'), { read: 'color' })).toMatchObject({ width: 11 });
  });

  it('ends a decoding that takes longer than allowed', async () => {
    const slow = scanBomb(5000, 5000, 64);
    const answer = decodeImage(slow, { read: 'color', limits: { ...limits, maxDecodeMs: 5 } });
    await expect(answer).rejects.toMatchObject({
      code: 'image_unreadable',
      message: 'The image took longer than 5 ms to decode',
    });
    await until(() => imageConcurrency.running === 0);
  });
});

describe('ConcurrencyLimit', () => {
  it('runs no more than its limit at once, in the order of asking', async () => {
    const limit = new ConcurrencyLimit(2);
    const order: number[] = [];
    let most = 0;
    const tasks = Array.from({ length: 9 }, (_, i) => limit.run(async () => {
      order.push(i);
      most = Math.max(most, limit.running);
      await new Promise(setImmediate);
      return i;
    })); // prettier-ignore
    expect(await Promise.all(tasks)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect([most, limit.running, limit.waiting]).toEqual([2, 0, 0]);
  });

  it('lets those who gave up while they waited out of the line', async () => {
    const limit = new ConcurrencyLimit(1);
    let release = (): void => undefined;
    const first = limit.run(() => new Promise<void>((resolve) => (release = resolve)));
    const controller = new AbortController();
    const ran: string[] = [];
    const left = limit.run(async () => ran.push('left'), { signal: controller.signal });
    const third = limit.run(async () => ran.push('third'));
    controller.abort(new Error('no more'));
    await expect(left).rejects.toThrow('no more');
    expect(limit.waiting).toBe(1);
    release();
    await Promise.all([first, third]);
    expect(ran).toEqual(['third']);
  });

  it('goes on after a task that failed', async () => {
    const limit = new ConcurrencyLimit(1);
    await expect(limit.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await limit.run(() => Promise.resolve('next'))).toBe('next');
  });
});

async function until(condition: () => boolean): Promise<void> {
  const pause = pacing();
  while (!condition()) await pause();
}
