import { fittedSize, imageLimitsOf, patchesOf } from '../models/image-limits.ts';
import { claudeModel } from '../models/model-name.ts';

/** The longest edge in pixels and the largest area to which the API scaled pictures down for earlier models. */
const MAX_EDGE = 1568;
const MAX_AREA = 1_200_000;
const PIXELS_PER_TOKEN = 750;
const MAX_AREA_TOKENS = MAX_AREA / PIXELS_PER_TOKEN;

/** From this version on the documentation counts in patches. */
const COUNTED_IN_PATCHES = 400;

function areaTokens(width: number, height: number): number {
  const scale = Math.min(1, MAX_EDGE / Math.max(width, height), Math.sqrt(MAX_AREA / (width * height)));
  // Rounding of the square root may exceed the limit a little.
  return Math.min(MAX_AREA_TOKENS, Math.ceil((width * scale * (height * scale)) / PIXELS_PER_TOKEN));
}

/**
 * Counts the input tokens of a picture by the model's documented formula, after the scaling that the API does first.
 * From Claude 4 on the tokens are patches of 28 by 28 pixels; for earlier and for other models they are the area
 * divided by 750.
 */
export function imageTokens(width: number, height: number, model = ''): number {
  const claude = claudeModel(model);
  return claude !== null && claude.version >= COUNTED_IN_PATCHES
    ? patchesOf(fittedSize({ width, height }, imageLimitsOf(model)))
    : areaTokens(width, height);
}

/** The most tokens that a picture can take; used where its size is not known. */
export function maxImageTokens(model = ''): number {
  const claude = claudeModel(model);
  return claude !== null && claude.version >= COUNTED_IN_PATCHES
    ? imageLimitsOf(model).tokens
    : MAX_AREA_TOKENS;
}
