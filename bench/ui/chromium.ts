import { type Browser, chromium, type Page } from 'playwright-core';
import { round3, spread, type Spread } from '../lib/figures.ts';

/** A browser of its own, as people have one: 1280x900. */
export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
}

/** A page in a context of its own, with nothing in its cache, that notes its long tasks from the beginning. */
export async function openPage(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.addInitScript(() => {
    const tasks: number[] = [];
    Object.assign(window, { longTasks: tasks });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) tasks.push(duration);
    }).observe({ type: 'longtask', buffered: true });
  });
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** Tasks of the page's thread over 50 ms. */
export interface LongTasks {
  readonly count: number;
  readonly ms: Spread | null;
}

/** The long tasks since the last call. */
export async function takeLongTasks(page: Page): Promise<LongTasks> {
  const tasks = await page.evaluate(() =>
    (window as unknown as { readonly longTasks: number[] }).longTasks.splice(0),
  );
  return { count: tasks.length, ms: tasks.length === 0 ? null : spread(tasks) };
}

/** MiB of live objects of the page's script, after a collection. */
export async function heapMib(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const used = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  return round3(used / 2 ** 20);
}

/** Scrolls from end to end in so many frames: the window, or the box of the selector. */
export async function scrollThrough(page: Page, selector?: string, frames = 120): Promise<void> {
  await page.evaluate(
    async ([chosen, count]) => {
      const box = chosen === null ? document.scrollingElement : document.querySelector(chosen);
      if (box === null) throw new Error('there is nothing to scroll');
      for (let frame = 0; frame <= count; frame += 1) {
        box.scrollTop = ((box.scrollHeight - box.clientHeight) * frame) / count;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    [selector ?? null, frames] as const,
  );
}
