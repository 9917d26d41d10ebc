/** A part of an image, in whole pixels; it must lie inside the image and have at least one pixel. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
