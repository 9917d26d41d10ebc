/** A process that appends for ever: `node writer.cjs <dir> <session> <name> [postgres://...]`. It prints what it has committed. */
import { openStore } from '../../store/index.ts';

async function run(dir: string, session: string, name: string, postgres?: string): Promise<never> {
  const store = await openStore({ dir, postgres });
  if ((await store.sessions.get(session)) === undefined) {
    const record = { id: session, agent_id: 'agent_1', agent_version: 1, status: 'idle', data: {} };
    // Another writer may have been first.
    await store.sessions.insert(record).catch(() => undefined);
  }
  for (let n = 0; ; n += 1) {
    const key = `${name}/${n}`;
    const hash = await store.blobs.put(Buffer.from(`${key}${'.'.repeat(50_000)}`));
    const events = [0, 1, 2].map((part) => ({ type: 't', payload: { key, part, hash }, deliver: true }));
    const { duplicate } = await store.events.append({
      session,
      key,
      events,
      update: (record) => ({ data: { steps: Number(record.data['steps'] ?? 0) + 1 } }),
    });
    if (!duplicate) process.stdout.write(`${key}\n`);
  }
}

const [dir = '', session = '', name = '', postgres] = process.argv.slice(2);
void run(dir, session, name, postgres);
