/** `[x1, y1, x2, y2]` in pixels of the picture. */
export type ScreenBox = readonly [x1: number, y1: number, x2: number, y2: number];

/** A line of text that was read from a picture. */
export interface ScreenLine {
  readonly text: string;
  readonly box: ScreenBox;
  /** 0 to 1. */
  readonly score: number;
  /** Its words from left to right; without them the characters are taken to be of one width. */
  readonly words?: readonly { readonly text: string; readonly box: ScreenBox }[];
}

/** Decoded pixels, rows from the top, channels interleaved. */
export interface ScreenPixels {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 2 | 3 | 4;
  readonly data: ArrayLike<number>;
}

interface RecognizerOptions {
  /** `read` and `pixels` then reject with its reason. */
  readonly signal?: AbortSignal;
}

/**
 * Reads the text in a picture (PNG, JPEG or WebP). The same picture gives the same lines.
 *
 * Both reject with `PictureUnreadableError` when this picture will never be read, and with a retryable `ApiError` when asking
 * later makes sense.
 */
export interface TextRecognizer {
  read(picture: Uint8Array, options?: RecognizerOptions): Promise<readonly ScreenLine[]>;
  /** For finding the field beside a label; without it a label itself is clicked. */
  pixels?(picture: Uint8Array, options?: RecognizerOptions): Promise<ScreenPixels>;
}

/** Why a picture's text cannot be known. */
export class PictureUnreadableError extends Error {
  override readonly name = 'PictureUnreadableError';
}
