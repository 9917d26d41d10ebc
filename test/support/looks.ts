import type { Page } from 'playwright-core';
import { accessibilityFaults } from './axe.ts';
import { nextFrames } from './next-frames.ts';

/** A theme and a width in pixels that a page is looked at in. */
export type Look = readonly [colorScheme: 'light' | 'dark', width: number];

export const ALL_LOOKS: readonly Look[] = [
  ['light', 1280],
  ['dark', 360],
  ['dark', 1280],
  ['light', 360],
];

/** Both themes and both widths once, or with STEADYHAND_ALL_LOOKS=1 each with each: axe takes a processor for seconds. */
const LOOKS = process.env['STEADYHAND_ALL_LOOKS'] === '1' ? ALL_LOOKS : ALL_LOOKS.slice(0, 2);

/**
 * What is wrong with a page as it stands, in each look, one after the other: what axe finds, and what reaches beyond the window. None
 * is right. With STEADYHAND_SHOTS, a folder, it is pictured there.
 * @param name what is looked at
 * @param options.within a selector of the part of the page that axe looks at; by default all of it
 * @param options.looks by default LOOKS
 */
export async function faultsInEachLook(
  page: Page,
  name: string,
  { within, looks = LOOKS }: { readonly within?: string | undefined; readonly looks?: readonly Look[] } = {},
): Promise<string[]> {
  const found: string[] = [];
  const before = page.viewportSize();
  for (const [colorScheme, width] of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    await nextFrames(page);
    const faults = await accessibilityFaults(page, within);
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (overhang > 0) faults.push(`${overhang} pixels too wide`);
    found.push(...faults.map((fault) => `${name}, ${colorScheme}, ${width} pixels: ${fault}`));
    const folder = process.env['STEADYHAND_SHOTS'];
    if (folder !== undefined)
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png`, fullPage: true });
  }
  await page.emulateMedia({ colorScheme: null });
  if (before) await page.setViewportSize(before);
  return found;
}
