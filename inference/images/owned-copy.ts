import { inTimeSlices } from './time-slices.ts';

const SLICE = 1 << 20;

/**
 * A copy in a buffer of its own, made in slices: fresh memory is slow to touch, and 100 MB at once would be felt. The buffer
 * is not cleared first, which lets the allocator give memory that was used before: half the time for a full HD image.
 */
export async function ownedCopy(data: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(Buffer.allocUnsafeSlow(data.length).buffer as ArrayBuffer);
  await inTimeSlices(
    Math.ceil(data.length / SLICE),
    (begin, end) => copy.set(data.subarray(begin * SLICE, end * SLICE), begin * SLICE),
    1,
  );
  return copy;
}
