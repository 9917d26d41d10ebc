import { decodeImage } from '../../../inference/images/decode-image.ts';
import { encodeImage } from '../../../inference/images/encode-image.ts';
import { seeded } from '../../support/seeded.ts';

const random = seeded(11);
const noise = {
  width: 1400,
  height: 1000,
  channels: 3,
  data: Uint8Array.from({ length: 1400 * 1000 * 3 }, () => Math.floor(random() * 256)),
} as const;

/** MB that the process grew by after the first rounds, which fill the memory that is reused. */
async function growth(rounds: number, task: () => Promise<unknown>): Promise<number> {
  for (let round = 0; round < 8; round += 1) await task();
  const before = process.memoryUsage.rss();
  for (let round = 0; round < rounds; round += 1) await task();
  return (process.memoryUsage.rss() - before) / 2 ** 20;
}

it('decoding keeps nothing of the images it has given away', async () => {
  const jpeg = await encodeImage(noise, { format: 'jpeg', quality: 30, chroma: '4:2:0' });
  // They have 4.2 MB each, which would be 250 MB if they were kept.
  expect(await growth(60, () => decodeImage(jpeg, { read: 'color' }))).toBeLessThan(140);
});

it('encoding neither', async () => {
  // The files have about 4 MB each, which would be 100 MB.
  const png = (): Promise<Uint8Array> => encodeImage(noise, { format: 'png' });
  expect((await png()).length).toBeGreaterThan(4_000_000);
  expect(await growth(25, png)).toBeLessThan(60);
});
