import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createIds, openStore, type Store } from '../../store/index.ts';
import { privateMissing, privatePostgres, type TestPostgres } from '../../test/support/postgres-server.ts';
import { quantile, round3, writeResult } from '../lib/figures.ts';

/**
 * What an append costs on SQLite beside PostgreSQL, on this disk and with each commit flushed to it: one event with a
 * place in the outbox and a change of the session, one after the other and in twenty sessions at once; and when another
 * process hears of it. The stores take turns, and each figure is that of all rounds after one to warm up.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    appends: { type: 'string', default: '100' },
    sessions: { type: 'string', default: '20' },
    'appends-each': { type: 'string', default: '20' },
  },
});
const rounds = Number(values.rounds);
const appends = Number(values.appends);
const sessionCount = Number(values.sessions);
const appendsEach = Number(values['appends-each']);
const text = 'x'.repeat(400);
const newId = createIds();

interface Subject {
  readonly name: string;
  readonly writer: Store;
  /** Another process's view of the same store. */
  readonly reader: Store;
  readonly serial: number[];
  readonly heard: number[];
  readonly rates: number[];
}

const folder = mkdtempSync(join(tmpdir(), 'bench-store-'));
const servers: TestPostgres[] = [];
const subjects: Subject[] = [];

async function subject(name: string, postgres?: string): Promise<void> {
  const options = { dir: join(folder, name), postgres };
  const [writer, reader] = [await openStore(options), await openStore(options)];
  subjects.push({ name, writer, reader, serial: [], heard: [], rates: [] });
}

async function session(store: Store): Promise<string> {
  const id = newId('sesn');
  await store.sessions.insert({ id, agent_id: 'agent_1', agent_version: 1, status: 'idle', data: {} });
  return id;
}

const append = (store: Store, to: string, n: number): Promise<unknown> =>
  store.events.append({
    session: to,
    key: `step/${n}`,
    events: [{ type: 'agent.message', payload: { text }, deliver: true }],
    update: () => ({ data: { n } }),
  });

async function round({ writer, reader, ...figures }: Subject): Promise<void> {
  const one = await session(writer);
  let heardAt = (): void => undefined;
  const end = reader.events.subscribe(one, () => heardAt());
  for (let n = 0; n < appends; n += 1) {
    const heard = new Promise<void>((resolve) => (heardAt = resolve));
    const start = performance.now();
    await append(writer, one, n);
    figures.serial.push(performance.now() - start);
    await heard;
    figures.heard.push(performance.now() - start);
  }
  end();
  const many = await Promise.all(Array.from({ length: sessionCount }, () => session(writer)));
  const start = performance.now();
  await Promise.all(
    many.map(async (each) => {
      for (let n = 0; n < appendsEach; n += 1) await append(writer, each, n);
    }),
  );
  figures.rates.push((sessionCount * appendsEach * 1000) / (performance.now() - start));
}

try {
  await subject('SQLite');
  if (privateMissing === undefined) {
    const server = await privatePostgres({ durable: true });
    servers.push(server);
    await subject('PostgreSQL', await server.database());
  } else console.log(`without PostgreSQL: ${privateMissing}`);
  for (let n = 0; n <= rounds; n += 1) {
    for (const each of subjects) {
      await round(each);
      if (n === 0) for (const figures of [each.serial, each.heard, each.rates]) figures.length = 0;
    }
  }
} finally {
  for (const { writer, reader } of subjects) await Promise.all([writer.close(), reader.close()]);
  for (const server of servers) await server.close();
  rmSync(folder, { recursive: true, force: true });
}

const rows = subjects.map(({ name, serial, heard, rates }) => ({
  store: name,
  'ms an append, median': round3(quantile(serial, 0.5)),
  'ms an append, p95': round3(quantile(serial, 0.95)),
  'ms until heard, median': round3(quantile(heard, 0.5)),
  [`appends/s, ${sessionCount} sessions at once`]: round3(quantile(rates, 0.5)),
}));
console.table(rows);
writeResult('store', { cpus: cpus().length, load: loadavg(), rounds, rows });
