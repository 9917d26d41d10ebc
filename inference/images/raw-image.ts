/**
 * Decoded pixels: rows from the top, pixels from the left, channels interleaved and not padded. One channel is grey,
 * two are grey and alpha, three are red, green and blue, and a fourth is alpha.
 */
export interface RawImage {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  /**
   * 8 bit, or 16 bit in the processor's byte order. It is always the whole of its buffer, so that it can be
   * transferred.
   */
  readonly data: Uint8Array | Uint16Array;
}
