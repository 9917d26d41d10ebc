import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writeResult } from '../lib/figures.ts';
import { askAtOnce, beCrowd, type Crowd } from './clients.ts';
import { type SampleLog, writeLogs } from './sample-logs.ts';
import { startWatched, type WatchedServer } from './server-process.ts';

/**
 * Many clients read a long session at once: how long the server's event loop is held, how long `/health` takes meanwhile, what
 * it costs. Given the `dist/main.mjs` of another build, that one is measured in the same run as `before`.
 */
const [first, second] = process.argv.slice(2);
if (first === '--crowd') await beCrowd(JSON.parse(second ?? '') as Crowd);
else await measure(first);

type Case = Omit<Crowd, 'url'> & { readonly name: string };

function casesFor([text, pictures]: readonly SampleLog[]): readonly Case[] {
  if (text === undefined || pictures === undefined) throw new Error('the logs are missing');
  const headers = { 'anthropic-version': '2023-06-01' };
  const replay = (log: SampleLog, count: number): Omit<Case, 'name'> => ({
    path: `/v1/sessions/${log.session}/events/stream`,
    headers: { ...headers, 'last-event-id': log.firstEvent },
    count,
    until: `id: ${log.lastEvent}`,
  });
  const list = (log: SampleLog, count: number): Omit<Case, 'name'> => ({
    path: `/v1/sessions/${log.session}/events?limit=1000`,
    headers,
    count,
  });
  return [
    { name: 'stream, 200 clients, 3,501 events', ...replay(text, 200) },
    { name: 'stream, 10 clients, 300 pictures of 200 kB', ...replay(pictures, 10) },
    { name: 'list, 200 clients, 1,000 events', ...list(text, 200) },
    { name: 'list, 10 clients, 1,000 events with pictures', ...list(pictures, 10) },
    { name: 'recording, 700 replies', path: `/v1/sessions/${text.session}/recording`, headers, count: 1 },
  ];
}

async function measure(before: string | undefined): Promise<void> {
  const results: Record<string, Record<string, object>> = {};
  const builds = { ...(before === undefined ? {} : { before }), now: 'dist/main.mjs' };
  for (const [build, main] of Object.entries(builds)) {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-replay-'));
    try {
      const logs = await writeLogs(dataDir, [
        { steps: 700, pictureBytes: 0 },
        { steps: 300, pictureBytes: 200_000 },
      ]);
      const server = await startWatched(main, dataDir);
      for (const each of casesFor(logs)) (results[each.name] ??= {})[build] = await measured(server, each);
      await server.stop();
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  }
  writeResult('replay', results);
  for (const [name, figures] of Object.entries(results)) {
    console.log(name);
    console.table(figures);
  }
}

async function measured(server: WatchedServer, { name: _name, ...asked }: Case): Promise<object> {
  await server.figures();
  const health = { slowest: 0, asked: true };
  const asking = (async () => {
    while (health.asked) {
      const began = performance.now();
      await (await fetch(`${server.url}/health`)).text();
      health.slowest = Math.max(health.slowest, performance.now() - began);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  const { bytes, seconds } = await askAtOnce({ ...asked, url: server.url });
  health.asked = false;
  await asking;
  const { max_ms, worked_max_ms, p99_ms, cpu_s, rss_mib } = await server.figures();
  return {
    loop_works_at_most_ms: Math.round(worked_max_ms),
    loop_held_at_most_ms: Math.round(max_ms),
    loop_p99_ms: Math.round(p99_ms),
    health_at_most_ms: Math.round(health.slowest),
    seconds: Math.round(seconds * 100) / 100,
    server_cpu_s: Math.round(cpu_s * 100) / 100,
    megabytes: Math.round(bytes / 1e6),
    server_rss_mib: Math.round(rss_mib),
  };
}
