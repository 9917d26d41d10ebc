import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { round3, writeResult } from '../lib/figures.ts';
import { openBrowser } from './chromium.ts';
import { firstPage } from './first-page.ts';
import { largeChart, longHistory } from './large.ts';
import { eventToPixel, longWatch, manyEvents } from './live.ts';
import { SERVE, serve, type ServerProcess, startServerProcess } from './server-process.ts';

/**
 * What the pages cost somebody who looks at them, in Chromium: the first page, a live session, long histories and large
 * statecharts. The server with its store, engine and worker is a process of its own.
 */
if (process.argv.includes(SERVE)) await serve();
else await measure();

async function measure(): Promise<void> {
  const { values } = parseArgs({
    options: {
      /** Of first, pixel, stream, history, chart, watch; the last takes an hour. */
      parts: { type: 'string', default: 'first,pixel,stream,history,chart' },
      rounds: { type: 'string', default: '15' },
      seconds: { type: 'string', default: '60' },
      'history-steps': { type: 'string', default: '8000' },
      minutes: { type: 'string', default: '60' },
    },
  });
  const rounds = Number(values.rounds);
  const works: Record<string, (browser: Browser, server: ServerProcess) => Promise<object>> = {
    first: (browser, { url }) => firstPage(browser, url, rounds),
    pixel: (browser, server) => eventToPixel(browser, server, 10 * rounds),
    stream: (browser, server) =>
      manyEvents(browser, server, { seconds: Number(values.seconds), eventsASecond: 200 }),
    history: (browser, server) => longHistory(browser, server, Number(values['history-steps'])),
    chart: (browser, server) => largeChart(browser, server, 5),
    watch: (browser, server) =>
      longWatch(browser, server, { minutes: Number(values.minutes), eventsASecond: 5 }),
  };
  const results: Record<string, unknown> = earlier();
  const server = await startServerProcess();
  const browser = await openBrowser();
  try {
    for (const part of values.parts.split(',')) {
      const load = round3(loadavg()[0] ?? 0);
      results[part] = { load, ...(await works[part]?.(browser, server)) };
      console.log(part, JSON.stringify(results[part], null, 2));
      writeResult('ui', { ...results, machine: { node: process.version, cpus: cpus().length } });
    }
  } finally {
    await browser.close();
    await server.stop();
  }
}

/** Parts that are not measured now keep their figures. */
function earlier(): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync('bench/results/ui.json', 'utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}
