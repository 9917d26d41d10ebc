import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runningInstance } from '../../sandbox/instance-lock.ts';
import { layoutOf } from '../../sandbox/layout.ts';
import { isAlive } from '../../sandbox/process-tree.ts';
import { productForAll } from '../support/product.ts';
import { until as untilSo } from '../sandbox/helpers/sandboxes.ts';
import { events, idle, prepare, resultTexts, say, until } from './support.ts';

const product = productForAll();

const script = (...steps: object[]): string => JSON.stringify(steps);

/** A session that has used its sandbox, and the sandbox's folder with its daemon ended. */
async function used(agent: string, environment_id: string): Promise<{ id: string; folder: string }> {
  const { id } = await product.client.beta.sessions.create({ agent, environment_id });
  await say(product.client, id, script({ bash: 'echo one' }));
  expect(await idle(product, id)).toBe('end_turn');
  const { sandbox_id } = (await product.client.beta.sessions.retrieve(id)) as unknown as {
    sandbox_id: string;
  };
  const folder = path.join(product.dataDir, 'sandboxes', sandbox_id);
  const daemon = runningInstance(folder)!.process;
  process.kill(daemon.pid, 'SIGKILL');
  await untilSo(() => !isAlive(daemon));
  return { id, folder };
}

/** As `/health` tells it. */
async function brokenSandboxes(): Promise<number> {
  const { desktop } = (await (await fetch(`${product.url}/health`)).json()) as {
    desktop: { broken_sandboxes: number };
  };
  return desktop.broken_sandboxes;
}

test('a session whose sandbox is damaged says so and ends its turn; the server starts, and others go on', async () => {
  const { agent, environment_id } = await prepare(product.client);
  const damagedLedger = await used(agent, environment_id);
  const emptyRecord = await used(agent, environment_id);
  const whole = await used(agent, environment_id);
  const { ledger } = layoutOf(damagedLedger.folder);
  writeFileSync(ledger, readFileSync(ledger, 'utf8').replace('"intent"', '"indent"'));
  truncateSync(layoutOf(emptyRecord.folder).config);
  await product.kill();
  await product.start();

  // The record is looked at as the server starts, the ledger when the sandbox is used.
  expect(await brokenSandboxes()).toBe(1);
  for (const { id, folder } of [damagedLedger, emptyRecord]) {
    await say(product.client, id, script({ bash: 'echo two' }));
    const log = await until(product, id, 'an error', (all) =>
      all.some(({ type }) => type === 'session.error'),
    );
    const error = log.find(({ type }) => type === 'session.error');
    expect(JSON.stringify(error)).toContain(folder);
    expect(await idle(product, id)).toBe('retries_exhausted');
    expect((await product.client.beta.sessions.retrieve(id)).status).toBe('idle');
    expect(await brokenSandboxes()).toBe(id === damagedLedger.id ? 2 : 1);
    await product.client.beta.sessions.delete(id);
  }
  await say(product.client, whole.id, script({ bash: 'echo two' }));
  expect(await idle(product, whole.id)).toBe('end_turn');
  expect(resultTexts(await events(product.client, whole.id)).at(-1)).toMatch(/two$/);
}, 360_000);
