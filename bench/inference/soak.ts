import sharp from 'sharp';
import { load, uploadOf } from './load.ts';
import { memoryMib } from '../lib/processes.ts';
import type { Contender } from './servers.ts';

/** Pictures of many sizes, so that buffers are asked for in ever new ones. */
const SIZES = [
  [320, 240],
  [641, 479],
  [800, 600],
  [1024, 768],
  [1280, 720],
] as const;

/** Sends `requests` pictures of differing sizes, eight at a time, and tells the memory along the way, in MiB. */
export async function soak({ url, pid }: Contender, requests: number): Promise<number[]> {
  const bodies = await Promise.all(
    SIZES.map(async ([width, height], index) => {
      const picture = sharp({
        create: { width, height, channels: 3, background: { r: 40 * index, g: 90, b: 160 } },
      });
      return uploadOf('jpeg', await picture.jpeg().toBuffer());
    }),
  );
  const memory: number[] = [];
  const parts = 20;
  for (let part = 0; part < parts; part += 1) {
    for (const body of bodies) {
      await load(url, body, { count: Math.ceil(requests / parts / bodies.length), concurrency: 8 });
    }
    memory.push(Math.round(memoryMib(pid)));
    console.log(`${Math.round(((part + 1) * requests) / parts)} requests: ${memory.at(-1)} MiB`);
  }
  return memory;
}
