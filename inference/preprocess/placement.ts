import type { ImageInput } from './image-input.ts';
import { roundHalfEven } from './axis.ts';

/** A part of an image, in whole pixels; it must lie inside the image and have at least one pixel. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The part of a model's input that the image takes, in the input's pixels. */
export interface Frame {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Where the source image lies in a model's input, in pixels: `input = source * scale + offset` on each axis. */
export interface Placement {
  readonly scaleX: number;
  readonly scaleY: number;
  readonly offsetX: number;
  readonly offsetY: number;
}

/**
 * Fits a region of an image into a model's input. A letterboxed region keeps its shape: both axes have the one ratio
 * that lets it fit, which the placement maps back by; its size in the input is rounded, to at least one pixel.
 */
export function place(
  region: Region,
  input: Pick<ImageInput, 'width' | 'height' | 'fit' | 'align'>,
): { readonly frame: Frame; readonly placement: Placement } {
  const { width, height } = input;
  if (input.fit === 'stretch') {
    return {
      frame: { left: 0, top: 0, width, height },
      placement: mapping(region, width / region.width, height / region.height, 0, 0),
    };
  }
  const ratio = Math.min(width / region.width, height / region.height);
  const inner = {
    width: Math.max(1, roundHalfEven(region.width * ratio)),
    height: Math.max(1, roundHalfEven(region.height * ratio)),
  };
  const centred = input.align === 'center';
  const left = centred ? Math.floor((width - inner.width) / 2) : 0;
  const top = centred ? Math.floor((height - inner.height) / 2) : 0;
  return { frame: { left, top, ...inner }, placement: mapping(region, ratio, ratio, left, top) };
}

function mapping(region: Region, scaleX: number, scaleY: number, left: number, top: number): Placement {
  return { scaleX, scaleY, offsetX: left - region.x * scaleX, offsetY: top - region.y * scaleY };
}
