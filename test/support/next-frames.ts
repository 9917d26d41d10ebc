import type { Page } from 'playwright-core';

/** Waits until a page has drawn what depends on its width: that is in the frame after the one that tells of it. */
export async function nextFrames(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
}
