import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'libsql';
import { openStore } from '../../store/index.ts';
import { Product } from '../support/product.ts';
import { sampled } from '../support/sampled.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { events, idle, prepare, say } from './support.ts';
import { pacing } from '../support/pacing.ts';

const folders: string[] = [];
let good: string;

/** A data folder with a store in it. */
beforeAll(async () => {
  good = mkdtempSync(path.join(os.tmpdir(), 'bad-files-'));
  folders.push(good);
  await (await openStore({ dir: path.join(good, 'store') })).close();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A data folder with a copy of that store. */
function dataDir(): string {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'bad-files-'));
  folders.push(dir);
  mkdirSync(path.join(dir, 'store'));
  mkdirSync(path.join(dir, 'engine'));
  copyFileSync(path.join(good, 'store', 'store.db'), path.join(dir, 'store', 'store.db'));
  return dir;
}

/** What a start on a folder says; there must be no more than that. */
async function startOn(dir: string): Promise<string> {
  const product = new Product({ LOG_LEVEL: 'silent' }, dir);
  const error: unknown = await product.start().then(
    () => new Error('it started'),
    (reason: unknown) => reason,
  );
  await product.stop();
  return (error as Error).message.replace('the product ended before it was ready:\n', '').trim();
}

const flipped = (file: string, from: number, bytes: number): void => {
  const content = readFileSync(file);
  content.fill(0x5a, from, from + bytes);
  writeFileSync(file, content);
};

// Each is a start of its own, which takes a processor for seconds; a usual run has the first one alone.
const NOISE: readonly (readonly [name: string, from: number, bytes: number, text: RegExp])[] = [
  ['store/store.db', 0, 16, /is no SQLite database: .* \(SQLITE_NOTADB\)$/],
  ['store/store.db', 100, 800, /is (?:damaged|no SQLite database): .* \(SQLITE_(?:CORRUPT|NOTADB)\)$/],
];

test.each(sampled(NOISE, 2))(
  '%s with %i bytes of noise is named in one line that says what to do',
  async (name, from, bytes, text) => {
    const dir = dataDir();
    const file = path.join(dir, name);
    flipped(file, from, bytes);
    const said = await startOn(dir);
    expect(said.split('\n')).toHaveLength(1);
    expect(said.startsWith(`${file} `)).toBe(true);
    expect(said).toMatch(text);
  },
  120_000,
);

test("the engine's database, too", async () => {
  const dir = dataDir();
  const file = path.join(dir, 'engine', 'engine.db');
  writeFileSync(file, 'not a database'.repeat(1000));
  const line = await startOn(dir);
  expect(line).toContain(`${file} cannot be used (file is not a database): it is damaged`);
  expect(line).not.toContain('\n');
}, 120_000);

test("a newer program's store, and a key that is none", async () => {
  const newer = dataDir();
  const db = new Database(path.join(newer, 'store', 'store.db'));
  db.exec('PRAGMA user_version = 999');
  db.close();
  expect(await startOn(newer)).toMatch(
    /store\.db has schema version 999, this program knows versions up to \d+$/,
  );
  const keyless = dataDir();
  writeFileSync(path.join(keyless, 'secrets.key'), '');
  expect(await startOn(keyless)).toMatch(/secrets\.key is not a key of 32 bytes: [^\n]+$/);
}, 120_000);

test('a session whose log was changed asks no model and says so; the others go on', async () => {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'bad-files-'));
  folders.push(dir);
  const product = new Product({ LOG_LEVEL: 'silent' }, dir);
  await product.start();
  const { agent, environment_id } = await prepare(product.client);
  const made = async (): Promise<string> => {
    const { id } = await product.client.beta.sessions.create({ agent, environment_id });
    await say(product.client, id, 'hello');
    await idle(product, id);
    return id;
  };
  const [bad, good] = [await made(), await made()];
  await product.stop();
  const db = new Database(path.join(dir, 'store', 'store.db'));
  db.exec('DROP TRIGGER events_never_change');
  db.prepare(
    `UPDATE events SET payload = replace(payload, 'hello', 'hullo') WHERE session = ? AND seq = 1`,
  ).run(bad);
  db.close();
  await product.start();
  const verified = async (id: string): Promise<unknown> =>
    (
      await fetch(`${product.url}/v1/sessions/${id}/verify`, {
        headers: { 'anthropic-version': '2023-06-01' },
      })
    ).json();
  expect(await verified(bad)).toMatchObject({ ok: false, broken_at: 1 });
  expect(await verified(good)).toMatchObject({ ok: true });
  for (const id of [bad, good]) await say(product.client, id, 'hello again');
  expect(await idle(product, good)).toBe('end_turn');
  expect(await idle(product, bad)).toBe('retries_exhausted');
  const log = await events(product.client, bad);
  const said = JSON.stringify(log.findLast(({ type }) => type === 'session.error'));
  expect(said).toContain(`the log of session ${bad} is broken at event 1: `);
  const pause = pacing();
  while (!(await (await fetch(`${product.url}/health`)).text()).includes('"broken_sessions":1'))
    await pause();
  await product.dispose();
}, 240_000);

const disk = mountSmallDisk(4);
// Without the right to mount there is no file system that is full or read-only for this user.
const describeSmallDisk = disk === undefined ? describe.skip : describe;
afterAll(() => disk?.close());

describeSmallDisk('a small disk', () => {
  test('a disk that is full or read-only ends the start with one line', async () => {
    const dir = path.join(disk?.dir ?? '', 'data');
    mkdirSync(dir);
    disk?.fill();
    const full = await startOn(dir);
    expect(full).toMatch(/^\S+ cannot be written: the disk is full \(\w+\)$/);
    disk?.free();
    spawnSync('mount', ['-o', 'remount,ro', disk?.dir ?? '']);
    const readOnly = await startOn(dir);
    spawnSync('mount', ['-o', 'remount,rw', disk?.dir ?? '']);
    expect(readOnly).toMatch(/^\S+ cannot be (?:written|opened): [^\n]+read-only \(\w+\)$/);
  }, 120_000);
});
