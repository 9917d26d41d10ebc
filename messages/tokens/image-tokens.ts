/** What the API scales a picture down to before a model sees it: long edge in pixels, and area. */
const MAX_EDGE = 1568;
const MAX_AREA = 1_200_000;
const PIXELS_PER_TOKEN = 750;

/** The most a picture can cost: that of a square at the area limit. */
export const MAX_IMAGE_TOKENS = MAX_AREA / PIXELS_PER_TOKEN;

/**
 * Input tokens of a picture of `width` by `height` pixels by the documented formula, width times height by 750, after
 * the scaling that the API does first. For the models of the 20241022 tools; later families count in patches.
 */
export function imageTokens(width: number, height: number): number {
  const scale = Math.min(1, MAX_EDGE / Math.max(width, height), Math.sqrt(MAX_AREA / (width * height)));
  return Math.ceil((width * scale * (height * scale)) / PIXELS_PER_TOKEN);
}
