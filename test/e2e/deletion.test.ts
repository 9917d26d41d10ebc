import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pacing } from '../support/pacing.ts';
import { productForAll } from '../support/product.ts';
import { sampled } from '../support/sampled.ts';
import { idle, prepare, say } from './support.ts';

const product = productForAll();

/** A session that has taken screenshots, each with bytes of its own. */
async function session(): Promise<string> {
  const { client } = product;
  const { agent, environment_id } = await prepare(client);
  const { id } = await client.beta.sessions.create({ agent, environment_id });
  await say(client, id, '- computer: {action: screenshot}\n- bash: echo seen');
  expect(await idle(product, id)).toBe('end_turn');
  return id;
}

/** The links of the pictures in a session's log. */
async function pictures(id: string): Promise<string[]> {
  const answer = await fetch(`${product.url}/v1/sessions/${id}/events?sources=url`, {
    headers: { 'anthropic-version': '2023-06-01' },
  });
  return [...(await answer.text()).matchAll(/\/v1\/blobs\/[0-9a-f]{64}/g)].map(([link]) => link);
}

const statusOf = async (at: string): Promise<number> => (await fetch(`${product.url}${at}`)).status;

const blobs = (): string[] => {
  const folder = path.join(product.dataDir, 'store', 'blobs');
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => /[0-9a-f]{64}$/.test(name));
};

const sandboxes = async (): Promise<number> =>
  ((await (await fetch(`${product.url}/v1/sandboxes`)).json()) as { data: unknown[] }).data.length;

test('the screenshots of a deleted session are not served any more', async () => {
  const id = await session();
  const links = await pictures(id);
  expect(links.length).toBeGreaterThan(0);
  for (const link of links) expect(await statusOf(link)).toBe(200);
  await product.client.beta.sessions.delete(id);
  for (const link of links) expect(await statusOf(link)).toBe(404);
  expect(blobs()).toEqual([]);
}, 360_000);

test('a deletion that a crash interrupts is finished by the next start, whatever it had come to', async () => {
  let begun = 0;
  const found: number[] = [];
  for (const ms of sampled([40, 0, 120], 2)) {
    const id = await session();
    product.client.beta.sessions.delete(id).catch(() => undefined);
    await sleep(ms);
    await product.kill();
    await product.start();
    if ((await statusOf(`/v1/sessions/${id}`)) === 200) {
      // The request had not been read; nothing of the session may be missing.
      for (const link of await pictures(id)) found.push(await statusOf(link));
      await product.client.beta.sessions.delete(id);
    } else begun += 1;
    const deadline = Date.now() + 60_000;
    const pause = pacing();
    while ((await sandboxes()) > 0 || blobs().length > 0) {
      if (Date.now() > deadline)
        throw new Error(`killed after ${ms} ms: not gone in time: ${blobs().join()}\n${product.stderr}`);
      await pause();
    }
  }
  expect(begun).toBeGreaterThan(0);
  expect(found.filter((status) => status !== 200)).toEqual([]);
}, 600_000);
