import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { taskQueuesOf } from '../../app/task-queues.ts';
import { createSessions } from '../../sessions/index.ts';
import { openStore, type Store } from '../../store/index.ts';

/** Which task queues an installation has. */

const folders: string[] = [];
const stores: Store[] = [];

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function open(
  dir = mkdtempSync(path.join(os.tmpdir(), 'task-queues-')),
): Promise<{ dir: string; store: Store }> {
  folders.push(dir);
  const store = await openStore({ dir });
  stores.push(store);
  return { dir, store };
}

async function withSession(store: Store): Promise<void> {
  const sessions = createSessions({ store });
  const agent = await sessions.agents.create({ name: 'a', model: 'script', tools: [] });
  await sessions.create({ agent: agent.id });
}

test('two installations have queues of their own, which stay', async () => {
  const { dir, store } = await open();
  const queues = await taskQueuesOf(store);
  expect(queues).toEqual({
    sessions: `steadyhand-${store.installation}`,
    batches: `steadyhand-${store.installation}-batches`,
  });
  await withSession(store);
  await store.close();
  expect(await taskQueuesOf((await open(dir)).store)).toEqual(queues);
  expect(await taskQueuesOf((await open()).store)).not.toEqual(queues);
});

test('a store with sessions from before keeps the name that their workflows wait under, also when they are gone', async () => {
  const { dir, store } = await open();
  await withSession(store);
  const earlier = { sessions: 'steadyhand', batches: 'steadyhand-batches' };
  expect(await taskQueuesOf(store)).toEqual(earlier);
  for (const { id } of await store.sessions.list({ includeArchived: true, order: 'asc', limit: 10 }))
    await store.sessions.delete(id);
  await store.close();
  expect(await taskQueuesOf((await open(dir)).store)).toEqual(earlier);
});
