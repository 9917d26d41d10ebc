import { inTimeSlices } from './time-slices.ts';

/**
 * Each scan of a progressive JPEG may touch every block of the picture for a hundred bytes, so that a small file could
 * keep a thread busy for minutes. Encoders write about ten.
 */
export const MAX_SCANS = 64;

const BYTES_A_SLICE = 1 << 20;

/**
 * Whether a JPEG has more scans than `MAX_SCANS`. Within compressed data 0xff is followed by 0, so the marker of a scan
 * (0xff 0xda) does not occur there by chance. Every second byte is looked at: a search for the pair would be slow in a
 * file that is made of its first half.
 * @param from where the first scan's marker ends
 */
export async function hasTooManyScans(bytes: Uint8Array, from: number): Promise<boolean> {
  let scans = 1;
  const count = (begin: number, end: number): void => {
    for (let at = from + begin * 2; at < from + end * 2 && scans <= MAX_SCANS; at += 2) {
      const byte = bytes[at];
      if ((byte === 0xda && bytes[at - 1] === 0xff) || (byte === 0xff && bytes[at + 1] === 0xda)) scans += 1;
    }
  };
  await inTimeSlices(Math.ceil((bytes.length - from) / 2), count, BYTES_A_SLICE / 2);
  return scans > MAX_SCANS;
}
