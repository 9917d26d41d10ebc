/** A theme and a width in pixels that a page is looked at in. */
export type Look = readonly [colorScheme: 'light' | 'dark', width: number];

const ALL: readonly Look[] = [
  ['light', 1280],
  ['dark', 360],
  ['dark', 1280],
  ['light', 360],
];

/** Both themes and both widths once, or with STEADYHAND_ALL_LOOKS=1 each with each: axe takes a processor for seconds. */
export const LOOKS: readonly Look[] = process.env['STEADYHAND_ALL_LOOKS'] === '1' ? ALL : ALL.slice(0, 2);
