/** What an image may cost; beyond it an image is refused. */
export interface ImageLimits {
  /** Width times height, as the header says: checked before anything is decoded. */
  readonly maxPixels: number;
  /** Milliseconds that decoding may take, not counting the wait for a free place. */
  readonly maxDecodeMs: number;
}

/** An 8K screen has 33 million pixels, a phone's photograph 12 to 50 million. */
export const DEFAULT_IMAGE_LIMITS: ImageLimits = { maxPixels: 50_000_000, maxDecodeMs: 10_000 };
