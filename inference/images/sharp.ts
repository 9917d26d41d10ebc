import { availableParallelism } from 'node:os';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type Sharp from 'sharp';
import { ConcurrencyLimit } from '../common/concurrency-limit.ts';

/** The only loaders that an image from outside can reach: those that read the supported formats from memory. */
const LOADERS = [
  'VipsForeignLoadJpegBuffer',
  'VipsForeignLoadPngBuffer',
  'VipsForeignLoadWebpBuffer',
  'VipsForeignLoadTiffBuffer',
];

/** Under this name the process's threads share how far the blocking of loaders is. */
const BLOCKING = 'steadyhand/image-loaders';
const [ASKED_FOR, UNDER_WAY, DONE] = [0, 1, 2];
/** Blocking takes microseconds. */
const BLOCKED_WITHIN_MS = 1000;

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
    obeyBlocking(sharp);
    return sharp;
  }));
}

/**
 * Has every loader of the image library but the four that are needed switched off as the library is loaded, or at once where it is,
 * for the whole process and for good, by this thread or one that it starts later. A file's first bytes have already been checked
 * when the library sees it; this is a second line of defence. The composition root calls it, before anything decodes,
 * and not the modules that decode, because it affects all other users of the library in the process.
 */
export function blockOtherLoaders(): void {
  setEnvironmentData(BLOCKING, new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)));
  // Whoever loads it is told when that fails.
  loading?.then(obeyBlocking, () => undefined);
}

function obeyBlocking(sharp: typeof Sharp): void {
  const progress = getEnvironmentData(BLOCKING) as Int32Array | undefined;
  if (progress === undefined) return;
  // One thread does it, since what another one decodes meanwhile would find its loader blocked; another one only where that thread
  // was ended in the middle.
  const isFirst = Atomics.compareExchange(progress, 0, ASKED_FOR, UNDER_WAY) === ASKED_FOR;
  if (!isFirst && Atomics.wait(progress, 0, UNDER_WAY, BLOCKED_WITHIN_MS) !== 'timed-out') return;
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: LOADERS });
  Atomics.store(progress, 0, DONE);
  Atomics.notify(progress, 0);
}

/** All work on image files passes through here: its threads are shared with file access and name look-ups. */
export const imageConcurrency = new ConcurrencyLimit(Math.min(availableParallelism(), 4));
