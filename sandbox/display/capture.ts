import type Sharp from 'sharp';
import type { CursorImage } from 'x11';
import type { XConnection } from './connection.ts';
import { getImage, type Region } from './get-image.ts';

/** Measured on desktop pictures, level 3 is twice as fast as zlib's default 6 for a picture a few percent larger. */
const PNG_LEVEL = 3;

let sharp: Promise<typeof Sharp> | undefined;

/**
 * Loads the image library, which takes a tenth of a second or more, so it begins when a display is opened and not at
 * start.
 */
export function loadSharp(): Promise<typeof Sharp> {
  return (sharp ??= import('sharp').then((loaded) => loaded.default));
}

export interface CaptureOptions {
  /** The part of the screen in its own pixels. The default is all of it. */
  readonly region?: Region;
  /** The size of the picture; it is scaled when it differs from the captured part's. */
  readonly scaleTo?: { readonly width: number; readonly height: number };
  /** The part of the scaled picture. The default is all of it. */
  readonly crop?: Region;
  /** Whether the pointer is drawn in, as `scrot -p` does. The default is true. */
  readonly pointer?: boolean;
}

/** The whole screen, with three bytes to a pixel, row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgb: Uint8Array;
}

/** Holds one picture of the screen at a time; the next one is written over it. */
export class PixelBuffer {
  #rgb = new Uint8Array(0);

  async read(connection: XConnection, pointer = true): Promise<Pixels> {
    const { width, height } = connection.size;
    const [image, cursor] = await Promise.all([
      getImage(connection, { x: 0, y: 0, width, height }),
      pointer
        ? connection.request<CursorImage>('GetCursorImage', (done) => connection.fixes.GetCursorImage(done))
        : null,
    ]);
    const bytes = width * height * 3;
    if (this.#rgb.length !== bytes) this.#rgb = new Uint8Array(bytes);
    packRgb(image, this.#rgb);
    if (cursor !== null) drawCursor(this.#rgb, width, height, cursor);
    return { width, height, rgb: this.#rgb };
  }
}

/**
 * Captures the whole screen over the X connection, without a process, one picture at a time. The pixel buffer is
 * reused, so a daemon's memory does not grow with the number of screenshots.
 */
export class ScreenCapture {
  readonly #buffer = new PixelBuffer();
  #busy: Promise<unknown> = Promise.resolve();

  /** Returns the screen as PNG bytes. */
  capture(connection: XConnection, options: CaptureOptions = {}): Promise<Uint8Array> {
    const shot = this.#busy.then(() => this.#read(connection, options));
    this.#busy = shot.catch(() => undefined);
    return shot;
  }

  async #read(connection: XConnection, options: CaptureOptions): Promise<Uint8Array> {
    const { width, height, rgb } = await this.#buffer.read(connection, options.pointer);
    const toPicture = await loadSharp();
    let picture = toPicture(rgb, { raw: { width, height, channels: 3 } });
    const { region, scaleTo, crop } = options;
    if (region !== undefined) picture = picture.extract(areaOf(region));
    const taken = region ?? { width, height };
    if (scaleTo !== undefined && (scaleTo.width !== taken.width || scaleTo.height !== taken.height))
      picture = picture.resize(scaleTo.width, scaleTo.height, { fit: 'fill' });
    if (crop !== undefined) picture = picture.extract(areaOf(crop));
    return picture.png({ compressionLevel: PNG_LEVEL }).toBuffer();
  }
}

function areaOf({ x, y, width, height }: Region): {
  left: number;
  top: number;
  width: number;
  height: number;
} {
  return { left: x, top: y, width, height };
}

/**
 * Packs X's 32-bit pixels (blue, green, red, unused) into 24-bit RGB. It writes three words for four pixels, which is
 * several times faster than byte by byte.
 */
function packRgb(source: Uint8Array, target: Uint8Array): void {
  const pixels = source.length >> 2;
  const whole = pixels & ~3;
  const aligned = source.byteOffset % 4 === 0 ? source : Uint8Array.from(source);
  const from = new Uint32Array(aligned.buffer, aligned.byteOffset, pixels);
  const to = new Uint32Array(target.buffer, target.byteOffset, (whole * 3) >> 2);
  let out = 0;
  for (let i = 0; i < whole; i += 4) {
    const a = from[i] as number;
    const b = from[i + 1] as number;
    const c = from[i + 2] as number;
    const d = from[i + 3] as number;
    to[out++] = ((a >>> 16) & 0xff) | (a & 0xff00) | ((a & 0xff) << 16) | ((b << 8) & 0xff000000);
    to[out++] = ((b >>> 8) & 0xff) | ((b & 0xff) << 8) | (c & 0xff0000) | ((c & 0xff00) << 16);
    to[out++] = (c & 0xff) | ((d >>> 8) & 0xff00) | ((d & 0xff00) << 8) | ((d & 0xff) << 24);
  }
  for (let i = whole; i < pixels; i++) {
    const pixel = from[i] as number;
    target[i * 3] = pixel >>> 16;
    target[i * 3 + 1] = pixel >>> 8;
    target[i * 3 + 2] = pixel;
  }
}

/**
 * Draws the pointer's picture (premultiplied alpha) over an RGB picture, with its hot spot at the pointer's position.
 */
function drawCursor(rgb: Uint8Array, width: number, height: number, cursor: CursorImage): void {
  const left = cursor.x - cursor.xhot;
  const top = cursor.y - cursor.yhot;
  for (let row = Math.max(0, -top); row < cursor.height && top + row < height; row++) {
    for (let column = Math.max(0, -left); column < cursor.width && left + column < width; column++) {
      const from = (row * cursor.width + column) * 4;
      const alpha = cursor.cursorImage[from + 3] ?? 0;
      if (alpha === 0) continue;
      const to = ((top + row) * width + left + column) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const over = cursor.cursorImage[from + 2 - channel] ?? 0;
        const under = rgb[to + channel] ?? 0;
        rgb[to + channel] = Math.min(255, over + Math.round((under * (255 - alpha)) / 255));
      }
    }
  }
}
