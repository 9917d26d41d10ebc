import sharp from 'sharp';
import { createPictureScaler } from '../../app/picture-scaler.ts';
import { PictureNotScaledError } from '../../messages/index.ts';
import { picture } from '../messages/context/support.ts';

const { signal } = new AbortController();
const png = (data: string): { type: 'base64'; media_type: 'image/png'; data: string } => ({
  type: 'base64',
  media_type: 'image/png',
  data,
});

async function infoOf(data: string): Promise<{ format: string; width: number; height: number }> {
  const { format, width, height } = await sharp(Buffer.from(data, 'base64')).metadata();
  return { format: String(format), width, height };
}

it('scales to the size asked for, and the same picture to the same bytes', async () => {
  const source = png(await picture(400, 300));
  const first = await createPictureScaler().scale(source, { width: 100, height: 75 }, signal);
  const second = await createPictureScaler().scale(source, { width: 100, height: 75 }, signal);
  expect(await infoOf(first.data)).toEqual({ format: 'png', width: 100, height: 75 });
  expect(second).toEqual(first);
});

it('keeps what it has scaled, the newest of it, within its bound', async () => {
  const scaler = createPictureScaler(2000);
  const one = png(await picture(300, 300, '#ff0000'));
  const other = png(await picture(300, 300, '#00ff00'));
  const size = { width: 200, height: 200 };
  const first = await scaler.scale(one, size, signal);
  expect(await scaler.scale(one, size, signal)).toBe(first);
  expect(first.data.length).toBeGreaterThan(500);
  await scaler.scale(other, size, signal);
  const again = await scaler.scale(one, size, signal);
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});

it('a photograph stays a JPEG with its side up', async () => {
  const photo = await sharp({ create: { width: 80, height: 40, channels: 3, background: '#123456' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const source = { type: 'base64', media_type: 'image/jpeg', data: photo.toString('base64') } as const;
  const scaled = await createPictureScaler().scale(source, { width: 40, height: 20 }, signal);
  expect(scaled.media_type).toBe('image/jpeg');
  const { orientation, width, height } = await sharp(Buffer.from(scaled.data, 'base64')).metadata();
  expect([orientation, width, height]).toEqual([6, 40, 20]);
});

it('a picture that would be too large as PNG becomes a JPEG', async () => {
  const noise = await sharp({
    create: {
      width: 1700,
      height: 1700,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .jpeg({ quality: 60 })
    .toBuffer();
  const webp = (await sharp(noise).webp().toBuffer()).toString('base64');
  const source = { type: 'base64', media_type: 'image/webp', data: webp } as const;
  const scaled = await createPictureScaler().scale(source, { width: 1690, height: 1690 }, signal);
  expect(scaled.media_type).toBe('image/jpeg');
  expect(scaled.data.length).toBeLessThan(5 * 1024 * 1024);
});

it('what is no picture is told so, and not kept', async () => {
  const scaler = createPictureScaler();
  const broken = png(Buffer.from('no picture at all').toString('base64'));
  const size = { width: 10, height: 10 };
  await expect(scaler.scale(broken, size, signal)).rejects.toThrow(PictureNotScaledError);
  await expect(scaler.scale(broken, size, signal)).rejects.toThrow(PictureNotScaledError);
  await expect(scaler.scale(broken, size, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});
