import { loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type Anthropic from '@anthropic-ai/sdk';
import Database from 'libsql';
import pg from 'pg';
import { MemberProcess } from '../../test/sandbox/helpers/member-process.ts';
import { startTestEngine } from '../../test/support/engine.ts';
import { openPostgres } from '../../test/support/postgres-server.ts';
import { Product } from '../../test/support/product.ts';
import { startS3Server } from '../../test/support/s3-server.ts';
import { writeResult } from '../lib/figures.ts';
import { familyOf, familyProcessorMs, memoryMib } from '../lib/processes.ts';
import { sizeOf } from '../soak/memory.ts';

/**
 * What an installation is to be sized by: the memory of each role at rest, what an open session adds to it, and what a step
 * costs in processor time and on the disk. Once for one machine, once for a cluster's roles.
 */
const { values } = parseArgs({
  options: {
    open: { type: 'string', default: '400' },
    sessions: { type: 'string', default: '4' },
    steps: { type: 'string', default: '50' },
  },
});
const [open, busy, steps] = [values.open, values.sessions, values.steps].map(Number) as [
  number,
  number,
  number,
];

/** Something whose processes, or whose bytes on a disk, are looked at. */
interface Setup {
  readonly name: string;
  readonly client: Anthropic;
  readonly processes: Readonly<Record<string, () => number>>;
  readonly disks: Readonly<Record<string, () => Promise<number>>>;
  close(): Promise<void>;
}

async function oneMachine(): Promise<Setup> {
  const product = new Product({ LOG_LEVEL: 'error', DEFAULT_MODEL: 'ocr', MALLOC_ARENA_MAX: '2' });
  await product.start();
  const file = (name: string) => async () => rowsOf(path.join(product.dataDir, name));
  const bytes = async (): Promise<number> =>
    sizeOf(path.join(product.dataDir, 'store', 'blobs')) * 1024 * 1024;
  return {
    name: 'one machine',
    client: product.client,
    processes: { all: () => product.pid ?? 0 },
    disks: { store: file('store/store.db'), engine: file('engine/engine.db'), pictures: bytes },
    close: () => product.dispose(),
  };
}

/** The pages of a SQLite file that hold something, those in its log among them. */
function rowsOf(file: string): number {
  const db = new Database(file);
  const pragma = (name: string): number =>
    Number((db.prepare(`PRAGMA ${name}`).get() as Readonly<Record<string, unknown>>)[name]);
  const bytes = (pragma('page_count') - pragma('freelist_count')) * pragma('page_size');
  db.close();
  return bytes;
}

async function cluster(): Promise<Setup> {
  const [engine, postgres, objects] = await Promise.all([startTestEngine(), openPostgres(), startS3Server()]);
  const database = await postgres.database();
  const models = new Product(
    { LOG_LEVEL: 'error', DEFAULT_MODEL: 'ocr', API_KEY: 'sk-sizing-0123456789' },
    undefined,
    ['--role=inference'],
  );
  await models.start();
  const env = {
    ...engine.env,
    LOG_LEVEL: 'error',
    MALLOC_ARENA_MAX: '2',
    STORE: database,
    BLOBS: objects.address,
    AWS_ACCESS_KEY_ID: objects.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: objects.credentials.secretAccessKey,
    API_KEY: 'sk-sizing-0123456789',
    SECRETS_KEY: '7'.repeat(64),
    SANDBOX_ISOLATION: 'remote',
    SANDBOX_POOL_TOKEN: 'the-token-of-this-pool',
    INFERENCE_URL: models.url,
  };
  const server = new Product(env, undefined, ['--role=server']);
  const worker = new Product(env, undefined, ['--role=worker']);
  await Promise.all([server.start(), worker.start()]);
  const member = await MemberProcess.start(path.resolve('dist/sandbox-member.mjs'), {
    SANDBOX_POOL_TOKEN: 'the-token-of-this-pool',
    SANDBOX_SERVER: server.url,
    SANDBOX_CAPACITY: String(busy + 1),
  });
  const size = async (): Promise<number> => {
    const db = new pg.Client({ connectionString: database });
    await db.connect();
    const { rows } = await db.query<{ n: string }>('SELECT pg_database_size(current_database()) AS n');
    await db.end();
    return Number(rows[0]?.n);
  };
  return {
    name: 'cluster',
    client: server.client,
    processes: {
      server: () => server.pid ?? 0,
      worker: () => worker.pid ?? 0,
      inference: () => models.pid ?? 0,
      'pool machine': () => member.pid,
    },
    disks: {
      database: size,
      'object store': async () =>
        [...objects.objects.values()].reduce((sum, { bytes }) => sum + bytes.byteLength, 0),
    },
    async close() {
      for await (const { id } of server.client.beta.sessions.list())
        await server.client.beta.sessions.delete(id);
      await Promise.all([worker.stop(), models.stop()]);
      await server.dispose();
      await member.stop();
      await Promise.all([engine.stop(), postgres.close(), objects.close()]);
    },
  };
}

type Figures = Readonly<Record<string, number>>;

const memory = ({ processes }: Setup): Figures =>
  Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, memoryMib(pid())]));
const processor = ({ processes }: Setup): Figures =>
  Object.fromEntries(Object.entries(processes).map(([name, pid]) => [name, familyProcessorMs(pid())]));
async function disk({ disks }: Setup): Promise<Figures> {
  const found = Object.entries(disks).map(async ([name, size]) => [name, await size()] as const);
  return Object.fromEntries(await Promise.all(found));
}

function each(after: Figures, before: Figures, count: number): Figures {
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [
      name,
      Math.round((100 * (value - (before[name] ?? 0))) / count) / 100,
    ]),
  );
}

async function turn(client: Anthropic, session: string, text: string): Promise<void> {
  await client.beta.sessions.events.send(session, {
    events: [{ type: 'user.message', content: [{ type: 'text', text }] }],
  });
  for (;;) {
    const { data } = await client.beta.sessions.events.list(session, { order: 'desc', limit: 1 });
    if (data[0]?.type === 'session.status_idle') return;
    await pause(50);
  }
}

async function eventCount(client: Anthropic, session: string): Promise<number> {
  let count = 0;
  for await (const event of client.beta.sessions.events.list(session)) count += event.id === '' ? 0 : 1;
  return count;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** A process at rest gives back what it does not use. */
const rest = (): Promise<void> => pause(10_000);

async function measured(setup: Setup): Promise<object> {
  const { client } = setup;
  const tools = [
    { type: 'computer_20241022', name: 'computer', display_width_px: 1024, display_height_px: 768 },
    { type: 'bash_20241022', name: 'bash', permission_policy: { type: 'always_allow' } },
  ];
  const agent = await client.beta.agents.create({ name: 'sizing', model: 'script', tools: tools as never });
  const environment = await client.beta.environments.create({ name: 'sizing' });
  const create = async (): Promise<string> =>
    (await client.beta.sessions.create({ agent: agent.id, environment_id: environment.id })).id;
  await rest();
  const atRest = memory(setup);
  const idleFrom = processor(setup);
  await rest();
  const idle = each(processor(setup), idleFrom, 10);

  const beforeOpen = await disk(setup);
  const opened = async (count: number): Promise<Figures> => {
    for (let n = 0; n < count; n += 10)
      await Promise.all(Array.from({ length: 10 }, async () => turn(client, await create(), '- say: Done.')));
    await rest();
    return memory(setup);
  };
  // A worker keeps the first hundred workflows in memory, so the first sessions cost more than all later ones.
  const withHalf = await opened(open / 2);
  const withOpen = await opened(open / 2);
  const diskOfOpen = each(await disk(setup), beforeOpen, open);

  const sessions = await Promise.all(Array.from({ length: busy }, create));
  await Promise.all(sessions.map((id) => turn(client, id, '- bash: true')));
  const work = async (step: object): Promise<object> => {
    await rest();
    const [ms, bytes] = [processor(setup), await disk(setup)];
    const events = (await Promise.all(sessions.map((id) => eventCount(client, id)))).reduce((a, b) => a + b);
    const began = performance.now();
    const texts = JSON.stringify(Array.from({ length: steps }, () => step));
    await Promise.all(sessions.map((id) => turn(client, id, texts)));
    const seconds = (performance.now() - began) / 1000;
    const used = each(processor(setup), ms, busy * steps);
    await rest();
    const after = (await Promise.all(sessions.map((id) => eventCount(client, id)))).reduce((a, b) => a + b);
    return {
      'steps a second': Math.round((busy * steps) / seconds),
      'events a step': (after - events) / (busy * steps),
      'processor ms a step': used,
      'bytes a step': each(await disk(setup), bytes, busy * steps),
    };
  };
  const commands = await work({ bash: 'true' });
  const screenshots = await work({ computer: { action: 'screenshot' } });
  return {
    'MiB at rest': each(atRest, {}, 1),
    'processes of the family': Object.fromEntries(
      Object.entries(setup.processes).map(([name, pid]) => [name, familyOf(pid()).length]),
    ),
    'processor ms a second at rest': idle,
    [`MiB with ${open / 2} sessions open`]: each(withHalf, {}, 1),
    [`MiB with ${open} sessions open`]: each(withOpen, {}, 1),
    'bytes an open session of one short turn': diskOfOpen,
    'a bash step': commands,
    'a screenshot step': screenshots,
    'MiB after work': each(memory(setup), {}, 1),
  };
}

const result: Record<string, unknown> = { load: loadavg() };
for (const setup of [oneMachine, cluster]) {
  const opened = await setup();
  try {
    result[opened.name] = await measured(opened);
  } finally {
    await opened.close();
  }
}
writeResult('sizing', result);
console.log(JSON.stringify(result, null, 2));
process.exit(0);
