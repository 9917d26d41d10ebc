import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import Anthropic from '@anthropic-ai/sdk';
import { Product } from '../../test/support/product.ts';
import { scriptAgent } from '../crash/crash-run.ts';
import { round3, spread, writeResult } from '../lib/figures.ts';

/**
 * A session's step of bash, from result to result, on the embedded engine, with `--dev-server` on Temporal's (`temporal` on the
 * PATH), on the Temporal server at `--address`, and in the cluster that `--cluster`, a `cluster.json` of scripts/cluster.mjs, tells
 * of. Each has a session at a time; they take turns.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    steps: { type: 'string', default: '40' },
    'dev-server': { type: 'boolean', default: false },
    address: { type: 'string' },
    cluster: { type: 'string' },
  },
});
const steps = Number(values.steps);

const products = new Map<string, Product>([['embedded, SQLite', new Product()]]);
if (values['dev-server']) products.set('dev server, SQLite', new Product({ ENGINE: 'dev-server' }));
if (values.address !== undefined)
  products.set(
    'Temporal on PostgreSQL, SQLite',
    new Product({ ENGINE: 'cluster', TEMPORAL_ADDRESS: values.address }),
  );
const clients = new Map<string, Anthropic>();
const times = new Map<string, number[]>();
try {
  for (const [name, product] of products) {
    await product.start();
    clients.set(name, product.client);
  }
  if (values.cluster !== undefined) {
    const { url, api_key: apiKey } = JSON.parse(readFileSync(values.cluster, 'utf8')) as Record<
      string,
      string
    >;
    clients.set('cluster: PostgreSQL, S3, pool', new Anthropic({ baseURL: url ?? '', apiKey: apiKey ?? '' }));
  }
  const prepared = new Map<string, { readonly agent: string; readonly environment_id: string }>();
  for (const [name, client] of clients) {
    const { id } = await client.beta.environments.create({ name: `engines-${Date.now()}` });
    prepared.set(name, { agent: await scriptAgent(client), environment_id: id });
  }
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    for (const [name, client] of clients) {
      const made = prepared.get(name);
      if (made === undefined) continue;
      const gaps = await stepMs(client, made);
      // The first round warms up.
      if (round > 0) times.set(name, [...(times.get(name) ?? []), ...gaps]);
    }
  }
} finally {
  for (const product of products.values()) await product.dispose();
}
const figures = Object.fromEntries([...times].map(([name, gaps]) => [name, spread(gaps)]));
console.table(figures);
writeResult('engines', {
  node: process.version,
  cpus: cpus().length,
  load: round3(loadavg()[0] ?? 0),
  figures,
});

/** The milliseconds between the results of a session. */
async function stepMs(
  client: Anthropic,
  made: { readonly agent: string; readonly environment_id: string },
): Promise<number[]> {
  const { id } = await client.beta.sessions.create(made);
  const script = Array.from({ length: steps + 2 }, (_, n) => `- bash: echo ${n} >> trace`).join('\n');
  await client.beta.sessions.events.send(id, {
    events: [{ type: 'user.message', content: [{ type: 'text', text: script }] }],
  });
  for (;;) {
    const { data } = await client.beta.sessions.events.list(id, { order: 'desc', limit: 1 });
    if (data[0]?.type === 'session.status_idle') break;
    await pause(200);
  }
  const at: number[] = [];
  for await (const event of client.beta.sessions.events.list(id, { limit: 500 }))
    if (event.type === 'agent.tool_result') at.push(Date.parse(event.processed_at ?? ''));
  await client.beta.sessions.delete(id);
  return at.slice(2).map((time, index) => time - (at[index + 1] ?? time));
}
