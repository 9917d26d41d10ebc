import type { Picture } from './conversation.ts';
import {
  PictureUnreadableError,
  type ScreenLine,
  type ScreenPixels,
  type TextRecognizer,
} from './text-recognizer.ts';

/** Reads the text on the screenshots of one request by OCR, each screenshot once. */
export class ScreenText {
  readonly #recognizer: TextRecognizer;
  readonly #signal: AbortSignal | undefined;
  readonly #read = new Map<string, Promise<readonly ScreenLine[]>>();

  constructor(recognizer: TextRecognizer, signal?: AbortSignal) {
    this.#recognizer = recognizer;
    this.#signal = signal;
  }

  /** @throws {PictureUnreadableError} when the picture cannot be read, or the result has none */
  async lines(picture: Picture | null): Promise<readonly ScreenLine[]> {
    const data = dataOf(picture);
    const known = this.#read.get(data);
    if (known !== undefined) return await known;
    const reading = this.#recognizer.read(Buffer.from(data, 'base64'), this.#options());
    this.#read.set(data, reading);
    return await reading;
  }

  /** Null where the recognizer gives no pixels. */
  async pixels(picture: Picture | null): Promise<ScreenPixels | null> {
    const bytes = Buffer.from(dataOf(picture), 'base64');
    return (await this.#recognizer.pixels?.(bytes, this.#options())) ?? null;
  }

  #options(): { signal?: AbortSignal } {
    return this.#signal === undefined ? {} : { signal: this.#signal };
  }
}

function dataOf(picture: Picture | null): string {
  if (picture === null) throw new PictureUnreadableError('the result has no picture');
  if ('data' in picture) return picture.data;
  throw new PictureUnreadableError(
    `only pictures in base64 can be read, and the result's is of kind ${picture.source}`,
  );
}
