import type { Browser } from 'playwright-core';
import { round3 } from '../lib/figures.ts';
import { heapMib, openPage, scrollThrough, takeLongTasks } from './chromium.ts';
import type { ServerProcess } from './server-process.ts';

/** What shows that a view of a run is drawn. */
const VIEWS = {
  compact: 'ul[aria-label=History] [data-line]',
  timeline: '[aria-label^="Timeline of"]',
  raw: 'ul[aria-label=Events] [data-line], [data-line]',
} as const;

/**
 * A run with a long history, each way it is shown: until it is drawn, and long tasks while it is scrolled through. It is a loop
 * by hand, because actors continue as new long before.
 */
export async function longHistory(browser: Browser, server: ServerProcess, steps: number): Promise<object> {
  const { id, events } = await server.order({
    ask: 'workflow',
    type: 'handLoop',
    input: { steps },
    wait: true,
  });
  console.log(`a history of ${events} events`);
  const views: Record<string, unknown> = {};
  for (const [view, selector] of Object.entries(VIEWS)) {
    const page = await openPage(browser, 'about:blank');
    const began = performance.now();
    await page.goto(`${server.url}/workflows/${encodeURIComponent(id)}?tab=${view}`);
    await page.locator(selector).first().waitFor({ timeout: 180_000 });
    const first = performance.now() - began;
    await page.waitForLoadState('networkidle', { timeout: 180_000 });
    const whole = performance.now() - began;
    const loading = await takeLongTasks(page);
    await scrollThrough(page);
    views[view] = {
      first_ms: round3(first),
      quiet_ms: round3(whole),
      long_tasks_loading: loading,
      long_tasks_scrolling: await takeLongTasks(page),
      heap_mib: await heapMib(page),
    };
    console.log(view, JSON.stringify(views[view]));
    await page.context().close();
  }
  return { events, views };
}

/** The statechart of 300 states: until it is drawn, and from an event to the state that it lights. */
export async function largeChart(browser: Browser, server: ServerProcess, rounds: number): Promise<object> {
  const { id } = await server.order({ ask: 'workflow', type: 'ring300', input: null, wait: false });
  const page = await openPage(browser, 'about:blank');
  const began = performance.now();
  await page.goto(`${server.url}/statechart/${encodeURIComponent(id)}`);
  await page.locator('g.state.active').first().waitFor({ timeout: 120_000 });
  const drawn = performance.now() - began;
  const loading = await takeLongTasks(page);
  const times: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const sent = performance.now();
    await page
      .getByRole('group', { name: 'Events that may be sent now' })
      .getByRole('button', { name: 'next' })
      .click();
    const dialog = page.getByRole('dialog');
    if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Send' }).click();
    await page.locator(`g.state.active[data-state$=".s${round}"]`).waitFor();
    times.push(performance.now() - sent);
  }
  const result = {
    states: 300,
    drawn_ms: round3(drawn),
    long_tasks_loading: loading,
    click_to_lit_ms: times.map((time) => Math.round(time)),
    long_tasks_stepping: await takeLongTasks(page),
  };
  await page.context().close();
  return result;
}
