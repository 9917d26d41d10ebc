import { availableParallelism } from 'node:os';
import type Sharp from 'sharp';
import { ConcurrencyLimit } from '../common/concurrency-limit.ts';

/** The only loaders an image from outside can reach: from memory, of the formats that are read. */
const LOADERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadTiffBuffer',
];

let loading: Promise<typeof Sharp> | undefined;

/**
 * The image library, loaded at first use, since that takes a tenth of a second. Its cache of operations is off: it would
 * hold on to pixels and never be hit. A picture takes one thread, whatever allocator the library finds: as many pictures
 * at once use the cores better.
 */
export function loadSharp(): Promise<typeof Sharp> {
  return (loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  }));
}

/**
 * Switches off every loader of the image library but the four that are needed, for the whole process and for good. What a
 * file is has been decided by its first bytes before the library sees it; this is the second fence. The composition root
 * calls it, not the modules that decode: it reaches all other users of the library in the process.
 */
export async function blockOtherLoaders(): Promise<void> {
  const sharp = await loadSharp();
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
}

/** One line for all work on image files: their threads are shared with file access and name look-ups. */
export const imageConcurrency = new ConcurrencyLimit(Math.min(availableParallelism(), 4));
