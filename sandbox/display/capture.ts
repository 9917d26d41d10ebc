import type Sharp from 'sharp';
import type { CursorImage } from 'x11';
import type { XConnection } from './connection.ts';
import { drawCursor, packRgb } from './pixels.ts';

const Z_PIXMAP = 2;
const ALL_PLANES = 0xffffffff;
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

export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
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
    const { x, root } = connection;
    const { width, height } = connection.size;
    const [image, cursor] = await Promise.all([
      connection.request<{ data: Buffer }>('GetImage', (done) =>
        x.GetImage(Z_PIXMAP, root, 0, 0, width, height, ALL_PLANES, done),
      ),
      pointer
        ? connection.request<CursorImage>('GetCursorImage', (done) => connection.fixes.GetCursorImage(done))
        : null,
    ]);
    const bytes = width * height * 3;
    if (this.#rgb.length !== bytes) this.#rgb = new Uint8Array(bytes);
    packRgb(image.data.subarray(0, width * height * 4), this.#rgb);
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
