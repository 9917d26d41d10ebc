/** `[x1, y1, x2, y2]` in pixels of the picture. */
export type ScreenBox = readonly [x1: number, y1: number, x2: number, y2: number];

/** A line of text that was read from a picture. */
export interface ScreenLine {
  readonly text: string;
  readonly box: ScreenBox;
  /** 0 to 1. */
  readonly score: number;
  /** The words from left to right. Without them all characters count as equally wide. */
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
  /** Aborts the work, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/**
 * Reads the text in a picture (PNG, JPEG or WebP). The same picture gives the same lines.
 *
 * Both methods reject with `PictureUnreadableError` when this picture can never be read, and with a retryable
 * `ApiError` when asking later makes sense.
 */
export interface TextRecognizer {
  read(picture: Uint8Array, options?: RecognizerOptions): Promise<readonly ScreenLine[]>;
  /** Decodes a picture to find the field beside a label; without this method the label itself is clicked. */
  pixels?(picture: Uint8Array, options?: RecognizerOptions): Promise<ScreenPixels>;
}

/** The text of a picture cannot be read; the message says why. */
export class PictureUnreadableError extends Error {
  override readonly name = 'PictureUnreadableError';
}
