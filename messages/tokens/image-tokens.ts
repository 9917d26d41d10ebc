import { fittedSize, imageLimitsOf, patchesOf } from '../models/image-limits.ts';
import { claudeModel } from '../models/model-name.ts';

/** What the API scaled a picture down to before a model saw it: long edge in pixels, and area. */
const MAX_EDGE = 1568;
const MAX_AREA = 1_200_000;
const PIXELS_PER_TOKEN = 750;
const MAX_AREA_TOKENS = MAX_AREA / PIXELS_PER_TOKEN;

/** From here on the documentation counts in patches. */
const COUNTED_IN_PATCHES = 400;

function areaTokens(width: number, height: number): number {
  const scale = Math.min(1, MAX_EDGE / Math.max(width, height), Math.sqrt(MAX_AREA / (width * height)));
  // The square root is not exact.
  return Math.min(MAX_AREA_TOKENS, Math.ceil((width * scale * (height * scale)) / PIXELS_PER_TOKEN));
}

/**
 * Input tokens of a picture of `width` by `height` pixels, by the formula that the documentation has for the model, after
 * the scaling that the API does first: from Claude 4 on patches of 28 by 28 pixels; for the models of the 20241022 tools,
 * and for models that are none of Claude's, width times height by 750.
 */
export function imageTokens(width: number, height: number, model = ''): number {
  const claude = claudeModel(model);
  return claude !== null && claude.version >= COUNTED_IN_PATCHES
    ? patchesOf(fittedSize({ width, height }, imageLimitsOf(model)))
    : areaTokens(width, height);
}

/** The most that a picture can cost: of one whose size is not known. */
export function maxImageTokens(model = ''): number {
  const claude = claudeModel(model);
  return claude !== null && claude.version >= COUNTED_IN_PATCHES
    ? imageLimitsOf(model).tokens
    : MAX_AREA_TOKENS;
}
