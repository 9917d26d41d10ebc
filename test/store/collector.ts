/** A process that makes, fills and deletes sessions for ever: `node collector.cjs <dir> <seed>`. It prints its progress. */
import { openStore } from '../../store/index.ts';
import { seeded } from '../support/seeded.ts';

async function run(dir: string, seed: number): Promise<never> {
  const random = seeded(seed);
  const pick = (count: number): number => Math.floor(random() * count);
  const store = await openStore({ dir, part: 'all' });
  for (let n = 0; ; n += 1) {
    const session = `sesn_${pick(4)}`;
    if ((await store.sessions.get(session)) === undefined) {
      await store.sessions.delete(session);
      await store.sessions.insert({
        id: session,
        agent_id: 'agent_1',
        agent_version: 1,
        status: 'idle',
        data: {},
      });
    }
    const sha256 = await store.blobs.put(Buffer.from(`picture ${pick(12)}`.repeat(1000)));
    const content = [{ type: 'image', source: { type: 'blob', sha256 } }];
    if (pick(2) === 0) {
      await store.events.append({
        session,
        key: `${seed}/${n}`,
        events: [{ type: 't', payload: { content } }],
      });
    } else {
      await store.effects.begin(session, `${seed}/${n}`);
      await store.effects.finish(session, `${seed}/${n}`, { content });
    }
    if (pick(5) === 0) await store.sessions.delete(`sesn_${pick(4)}`);
    if (pick(20) === 0) await store.sweep();
    process.stdout.write(`${n}\n`);
  }
}

const [dir = '', seed = ''] = process.argv.slice(2);
void run(dir, Number(seed));
