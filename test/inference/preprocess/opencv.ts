import type { RawImage } from '../../../inference/images/raw-image.ts';

/** The part of OpenCV's JavaScript build that is used here. */
interface OpenCv {
  Mat: new (rows?: number, columns?: number, type?: number) => Mat;
  Size: new (width: number, height: number) => object;
  readonly INTER_AREA: number;
  resize(from: Mat, to: Mat, size: object, fx: number, fy: number, interpolation: number): void;
  onRuntimeInitialized?: () => void;
  then?: unknown;
  readonly CV_8UC1: number;
  readonly CV_16UC1: number;
}

interface Mat {
  readonly data: Uint8Array;
  readonly data16U: Uint16Array;
  delete(): void;
}

/** `resize` with INTER_AREA of OpenCV itself, as WebAssembly. */
export class Oracle {
  readonly #cv: OpenCv;

  private constructor(cv: OpenCv) {
    this.#cv = cv;
  }

  static async load(): Promise<Oracle> {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const cv = require('@techstark/opencv-js') as OpenCv;
    // The module has a `then` that calls back with itself: awaiting it would never end.
    delete cv.then;
    if (cv.Mat === undefined) {
      await new Promise<void>((resolve) => {
        cv.onRuntimeInitialized = resolve;
      });
    }
    return new Oracle(cv);
  }

  resize({ width, height, channels, data }: RawImage, targetWidth: number, targetHeight: number): RawImage {
    const cv = this.#cv;
    const wide = data.BYTES_PER_ELEMENT === 2;
    // OpenCV's types of n channels are those of one, plus 8 a channel more.
    const source = new cv.Mat(height, width, (wide ? cv.CV_16UC1 : cv.CV_8UC1) + 8 * (channels - 1));
    const target = new cv.Mat();
    try {
      (wide ? source.data16U : source.data).set(data);
      cv.resize(source, target, new cv.Size(targetWidth, targetHeight), 0, 0, cv.INTER_AREA);
      return {
        width: targetWidth,
        height: targetHeight,
        channels,
        data: wide ? target.data16U.slice() : target.data.slice(),
      };
    } finally {
      source.delete();
      target.delete();
    }
  }
}
