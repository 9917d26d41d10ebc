import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { acceptUserEvents } from '../../sessions/user-events/accept.ts';
import { openStore } from '../../store/index.ts';
import { entriesBelow } from '../support/entries-below.ts';
import { freePort } from '../support/free-port.cjs';
import { engineOf } from '../support/product-engine.ts';
import { Product, productForAll } from '../support/product.ts';
import { replaySessions } from '../support/replay.ts';
import { events, idle, prepare, resultTexts, until } from './support.ts';

const product = productForAll();

test('a message accepted by a server that died before it told the workflow is answered after the next start', async () => {
  const { agent, environment_id } = await prepare(product.client);
  const { id } = await product.client.beta.sessions.create({ agent, environment_id });
  await product.kill();
  // As far as a server gets that is killed between its two steps: the message stands in the outbox.
  const store = await openStore({ dir: path.join(product.dataDir, 'store') });
  const content = [{ type: 'text' as const, text: '- bash: echo delivered' }];
  await acceptUserEvents(store, id, [{ type: 'user.message', body: { content } }], 'request/1');
  await store.close();
  await product.start();
  expect(await idle(product, id)).toBe('end_turn');
  expect(resultTexts(await events(product.client, id))).toEqual(['delivered']);
}, 360_000);

test('a second product on the same data folder says so and leaves the first one alone', async () => {
  const second = new Product({}, product.dataDir);
  await expect(second.start()).rejects.toThrow(/is in use by another Steadyhand/);
  expect((await fetch(`${product.url}/health`)).status).toBe(200);
}, 360_000);

test('it takes work while the object store is away, and says that it is', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`;
  const away = new Product({
    BLOBS: `s3://bytes/blobs?endpoint=${nowhere}&region=us-east-1`,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'secret-of-nobody',
  });
  await away.start();
  try {
    const answer = await fetch(`${away.url}/readyz`);
    expect({ status: answer.status, ...((await answer.json()) as object) }).toMatchObject({
      status: 200,
      ready: true,
      checks: { blobs: { ok: false, required: false }, store: { ok: true, required: true } },
    });
  } finally {
    await away.stop();
    rmSync(away.dataDir, { recursive: true, force: true });
  }
}, 360_000);

test('what it wrote is readable by its owner alone', () => {
  const open = entriesBelow(product.dataDir).filter((name) => {
    // Of sandboxes, what is inside belongs to others: the folder around them is closed.
    const { mode } = lstatSync(path.join(product.dataDir, name));
    return !name.startsWith(`sandboxes${path.sep}`) && (mode & 0o077) !== 0;
  });
  expect(open).toEqual([]);
  expect(readdirSync(path.join(product.dataDir, 'engine'))).toContain('token');
});

test('a Temporal client without the token cannot reach the workflows', async () => {
  const { connection, namespace } = await engineOf(product);
  const stranger = Connection.lazy({ address: connection.address, interceptors: [] });
  const asked = stranger.workflowService.listWorkflowExecutions({ namespace });
  await expect(asked).rejects.toThrow(/UNAUTHENTICATED: .*engine\/token/);
  await stranger.close();
});

test('a start prints the command by which Temporal’s own tools reach the workflows', async () => {
  const [, command = ''] =
    /^Temporal, token in \S+: (.* )temporal workflow list$/m.exec(product.said.join('\n')) ?? [];
  const names = ['TEMPORAL_ADDRESS', 'TEMPORAL_TLS', 'TEMPORAL_API_KEY'];
  const printed = execFileSync('sh', ['-c', `${command} printenv ${names.join(' ')}`], { encoding: 'utf8' });
  const [address = '', tls, apiKey = ''] = printed.trim().split('\n');
  expect(tls).toBe('false');
  const connection = await Connection.connect({ address, apiKey, tls: false });
  const { namespace } = await engineOf(product);
  await connection.workflowService.listWorkflowExecutions({ namespace });
  await connection.close();
});

test('a port that another program has is named in one line', async () => {
  const { port } = new URL(product.url);
  const late = new Product({ PORT: port });
  const error: unknown = await late.start().catch((reason: unknown) => reason);
  rmSync(late.dataDir, { recursive: true, force: true });
  expect(String(error)).toMatch(
    new RegExp(`HOST=127.0.0.1 PORT=${port} cannot be listened on: another program has the port\\s*$`),
  );
}, 360_000);

test('a wrong value ends the start with one line that names the variable, the value and what is allowed', async () => {
  const wrong = new Product({ PORT: 'eighty' });
  const error: unknown = await wrong.start().catch((reason: unknown) => reason);
  rmSync(wrong.dataDir, { recursive: true, force: true });
  expect(String(error)).toMatch(/PORT=eighty is not allowed: a whole number from 0 to 65535\s*$/);
}, 360_000);

test('deleting a session leaves no workflow running and no sandbox', async () => {
  const { agent, environment_id } = await prepare(product.client);
  const { id } = await product.client.beta.sessions.create({ agent, environment_id });
  const text = '- bash: echo here\n- bash: sleep 60';
  await product.client.beta.sessions.events.send(id, {
    events: [{ type: 'user.message', content: [{ type: 'text', text }] }],
  });
  const sandboxes = async (): Promise<unknown[]> =>
    ((await (await fetch(`${product.url}/v1/sandboxes`)).json()) as { data: unknown[] }).data;
  await until(product, id, 'a result', (log) => resultTexts(log).length > 0);
  const before = (await sandboxes()).length;
  await product.client.beta.sessions.delete(id);
  expect(await sandboxes()).toHaveLength(before - 1);
  await expect(product.client.beta.sessions.retrieve(id)).rejects.toMatchObject({ status: 404 });
}, 360_000);

test('every workflow history that these sessions made replays', async () => {
  expect(await replaySessions(product)).toBeGreaterThanOrEqual(2);
}, 360_000);
