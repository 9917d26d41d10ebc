import type { RawImage } from '../../../inference/images/raw-image.ts';

/** The contents of a picture. Each kind finds other faults of rounding and saturation. */
export const CONTENTS = ['noise', 'gradient', 'checkers', 'extremes', 'full'] as const;
export type Content = (typeof CONTENTS)[number];

/** A picture with `bits` for each sample, which is the same for the same arguments. */
export function picture(
  width: number,
  height: number,
  channels: RawImage['channels'],
  content: Content = 'noise',
  bits: 8 | 16 = 8,
  seed = 1,
): RawImage {
  const top = 2 ** bits - 1;
  const length = width * height * channels;
  const data = bits === 8 ? new Uint8Array(length) : new Uint16Array(length);
  if (content === 'full') data.fill(top);
  else if (content === 'noise' || content === 'extremes') scatter(data, content === 'extremes', seed);
  else {
    const slope = top / (width + 2 * height + 111);
    let i = 0;
    for (let y = 0; y < height; y += 1) {
      for (let x = 0; x < width; x += 1) {
        for (let channel = 0; channel < channels; channel += 1, i += 1) {
          data[i] =
            content === 'gradient' ? (x + 2 * y + 37 * channel) * slope : ((x + y + channel) & 1) * top;
        }
      }
    }
  }
  return { width, height, channels, data };
}

/** Random bits (xorshift), or samples with none or all bits set. */
function scatter(data: Uint8Array | Uint16Array, all: boolean, seed: number): void {
  let state = Math.imul(seed, 2_654_435_761) | 1;
  for (let i = 0; i < data.length; i += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    data[i] = all ? -(state & 1) : state >>> 8;
  }
}
