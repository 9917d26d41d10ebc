import { availableParallelism } from 'node:os';
import type Sharp from 'sharp';
import { ConcurrencyLimit } from '../common/concurrency-limit.ts';

/** The only loaders that an image from outside can reach: those that read the supported formats from memory. */
const LOADERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadTiffBuffer',
];

let loading: Promise<typeof Sharp> | undefined;

/**
 * Answers the image library. It is loaded at first use, since that takes a tenth of a second. Its cache of operations
 * is off: it would keep pixels in memory and never be hit. A picture takes one thread, whatever allocator the library
 * finds, because several pictures at once use the cores better.
 */
export function loadSharp(): Promise<typeof Sharp> {
  return (loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  }));
}

/**
 * Switches off every loader of the image library but the four that are needed, for the whole process and for good. A
 * file's first bytes have already been checked when the library sees it; this is a second line of defence. The
 * composition root calls it and not the modules that decode, because it affects all other users of the library in the
 * process.
 */
export async function blockOtherLoaders(): Promise<void> {
  const sharp = await loadSharp();
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
}

/** All work on image files passes through here: its threads are shared with file access and name look-ups. */
export const imageConcurrency = new ConcurrencyLimit(Math.min(availableParallelism(), 4));
