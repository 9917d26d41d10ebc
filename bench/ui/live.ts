import type { Browser, Page } from 'playwright-core';
import { quantile, round3 } from '../lib/figures.ts';
import { heapMib, type LongTasks, openPage, takeLongTasks } from './chromium.ts';
import type { ServerProcess } from './server-process.ts';

async function openSession(
  browser: Browser,
  server: ServerProcess,
  events: number,
): Promise<{ readonly page: Page; readonly session: string }> {
  const session = await server.order({ ask: 'session', title: 'Live', events });
  const page = await openPage(browser, `${server.url}/sessions/${session}`);
  await page.getByText('newest', { exact: true }).waitFor();
  await page.waitForLoadState('load');
  return { page, session };
}

/** From an event's being handed to the store to the frame that shows it, in milliseconds. */
export async function eventToPixel(browser: Browser, server: ServerProcess, rounds: number): Promise<object> {
  const { page, session } = await openSession(browser, server, 1000);
  const times: number[] = [];
  for (let round = -5; round < rounds; round += 1) {
    const text = `said number ${round + 5} of these`;
    const shown = page.evaluate(async (sought) => {
      const isThere = (): boolean =>
        document.querySelector('ol[aria-label=Turns]')?.textContent.includes(sought) === true;
      await new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!isThere()) return;
          observer.disconnect();
          resolve();
        });
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
        if (isThere()) resolve();
      });
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 0)));
      return performance.timeOrigin + performance.now();
    }, text);
    const said = await server.order({ ask: 'say', session, text });
    const time = (await shown) - said;
    if (round >= 0) times.push(time);
    // Events of a person or a model do not come in step with the page's own timers.
    await new Promise((resolve) => setTimeout(resolve, 100 + 37 * (round % 7)));
  }
  await page.context().close();
  return {
    events: rounds,
    ms: {
      p50: round3(quantile(times, 0.5)),
      p95: round3(quantile(times, 0.95)),
      max: round3(Math.max(...times)),
    },
  };
}

/** Many events a second for a time, and the page's long tasks meanwhile. */
export async function manyEvents(
  browser: Browser,
  server: ServerProcess,
  { seconds, eventsASecond }: { readonly seconds: number; readonly eventsASecond: number },
): Promise<object> {
  const { page, session } = await openSession(browser, server, 0);
  await takeLongTasks(page);
  const events = await server.order({ ask: 'stream', session, seconds, eventsASecond });
  await page
    .getByText(`streamed ${events - 2}`, { exact: true })
    .first()
    .waitFor();
  const long: LongTasks = await takeLongTasks(page);
  await page.context().close();
  return { seconds, events, long_tasks: long };
}

/** A live session for a long time: the page's memory by the minute. */
export async function longWatch(
  browser: Browser,
  server: ServerProcess,
  { minutes, eventsASecond }: { readonly minutes: number; readonly eventsASecond: number },
): Promise<object> {
  const { page, session } = await openSession(browser, server, 1000);
  const heap = [await heapMib(page)];
  for (let minute = 0; minute < minutes; minute += 1) {
    await server.order({ ask: 'stream', session, seconds: 60, eventsASecond });
    heap.push(await heapMib(page));
    console.log(`minute ${minute + 1}: ${heap.at(-1)} MiB`);
  }
  await page.context().close();
  return {
    minutes,
    events_a_second: eventsASecond,
    heap_mib: {
      first: heap[0],
      after_a_tenth: heap[Math.ceil(minutes / 10)],
      last: heap.at(-1),
      largest: Math.max(...heap),
    },
  };
}
