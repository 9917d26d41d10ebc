import type { Browser } from 'playwright-core';
import { quantile, round3 } from '../lib/figures.ts';
import { openPage } from './chromium.ts';

export interface FirstPage {
  readonly rounds: number;
  /** From the navigation to the start page with its first button drawn, nothing cached. */
  readonly usable_ms: { readonly p50: number; readonly p95: number };
  /** Bytes of script as they came, with what the page loads by itself. */
  readonly script_kb: number;
}

/** The start page, each time in a browser that has never seen it. */
export async function firstPage(browser: Browser, url: string, rounds: number): Promise<FirstPage> {
  const times: number[] = [];
  let script = 0;
  for (let round = 0; round < rounds; round += 1) {
    const page = await openPage(browser, 'about:blank');
    await page.addInitScript(() => {
      const seen = (): void => {
        if (document.querySelector('main button') === null) return;
        observer.disconnect();
        requestAnimationFrame(() =>
          setTimeout(() => Object.assign(window, { usableAt: performance.now() }), 0),
        );
      };
      const observer = new MutationObserver(seen);
      observer.observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${url}/`, { waitUntil: 'commit' });
    await page.waitForFunction(() => 'usableAt' in window);
    times.push(await page.evaluate(() => (window as unknown as { readonly usableAt: number }).usableAt));
    await page.waitForLoadState('networkidle');
    script = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => name.endsWith('.js'))
        .reduce((sum, entry) => sum + (entry as PerformanceResourceTiming).transferSize, 0),
    );
    await page.context().close();
  }
  return {
    rounds,
    usable_ms: { p50: round3(quantile(times, 0.5)), p95: round3(quantile(times, 0.95)) },
    script_kb: round3(script / 1000),
  };
}
