/**
 * Decoded pixels: rows from the top, pixels from the left, channels interleaved and not padded.
 * Channels: 1 grey, 2 grey and alpha, 3 red green blue, 4 with alpha.
 */
export interface RawImage {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  /** 8 bit, or 16 bit in this machine's byte order; always the whole of its buffer, so that it can be transferred. */
  readonly data: Uint8Array | Uint16Array;
}
