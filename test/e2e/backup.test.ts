import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { entriesBelow } from '../support/entries-below.ts';
import { Product } from '../support/product.ts';
import { replaySessions } from '../support/replay.ts';
import { events, idle, made, prepare, resultTexts, say, until } from './support.ts';

/** A backup that is made while sessions are at work, restored where nothing is. */

const home = mkdtempSync(path.join(os.tmpdir(), 'steadyhand-backup-'));
const folder = path.join(home, 'backup');
let old: Product;
let restored: Product | undefined;

beforeAll(async () => {
  old = new Product();
  await old.start();
}, 360_000);

afterAll(async () => {
  await restored?.dispose();
  // Its computers run on.
  await old.stop();
  await old.start();
  await old.dispose();
  rmSync(home, { recursive: true, force: true });
}, 360_000);

/** Runs a command of the product; answers what it printed, or the line by which it was refused. */
async function run(dataDir: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir };
  try {
    return (await promisify(execFile)(process.execPath, ['dist/main.mjs', ...args], { env })).stdout.trim();
  } catch (error) {
    return (error as { readonly stderr: string }).stderr.trim();
  }
}

const workspaceOf = (session: string): string =>
  path.join(old.dataDir, 'sandboxes', session.replace('sesn_', 'sbx_'), 'workspace');

test('after a restore sessions go on, nothing is repeated, and logs and pictures are whole', async () => {
  const { agent, environment_id } = await prepare(old.client);
  const asking = await prepare(old.client, { bash: 'always_ask' });
  const create = async (of: object): Promise<string> =>
    (await old.client.beta.sessions.create({ ...of } as never)).id;
  const busy = await create({ agent, environment_id });
  const resting = await create({ agent, environment_id, secrets: { TOKEN: 'a-secret-value' } });
  const waiting = await create(asking);
  await say(old.client, resting, '- computer: { action: screenshot }');
  expect(await idle(old, resting)).toBe('end_turn');
  await say(old.client, waiting, '- bash: echo allowed');
  expect(await idle(old, waiting)).toBe('requires_action');
  const begun = 'echo 1 >> trace; touch begun; until test -e go; do sleep 0.1; done; echo 2 >> trace';
  await say(old.client, busy, JSON.stringify([{ bash: begun }]));
  await made(old, busy, 'begun');

  const told = await run(old.dataDir, 'backup', folder);
  expect(told).toMatch(new RegExp(`^Backup in ${folder}: 3 sessions, \\d+ events, 1 objects, the engine\n`));
  expect(told).toContain(`keep a copy of ${old.dataDir}/secrets.key`);
  expect(await run(old.dataDir, 'backup', folder)).toBe(
    `${folder} is not empty: a backup needs a folder of its own`,
  );
  // No key is in it.
  const key = readFileSync(path.join(old.dataDir, 'secrets.key'));
  for (const name of entriesBelow(folder).filter((each) => /\.(?:db|json|key)$/.test(each)))
    expect(readFileSync(path.join(folder, name)).includes(key)).toBe(false);
  // What comes after the backup is not in it.
  await say(old.client, resting, '- bash: echo later');
  expect(await idle(old, resting)).toBe('end_turn');
  await old.kill();

  const dataDir = path.join(home, 'data');
  expect(await run(dataDir, 'restore', folder)).toMatch(
    /^the backup has secrets of sessions and no key: --secrets-key=<file>/,
  );
  // That attempt did not end, so nothing starts on what it left.
  const unfinished = new Product({}, dataDir);
  await expect(unfinished.start()).rejects.toThrow(
    'holds a backup that is restored in part: run the same restore again',
  );
  const wrong = path.join(home, 'wrong.key');
  writeFileSync(wrong, Buffer.alloc(32, 7));
  expect(await run(dataDir, 'restore', folder, `--secrets-key=${wrong}`)).toBe(
    `${wrong} is not the key that the secrets in the backup were sealed with`,
  );
  const answer = await run(
    dataDir,
    'restore',
    folder,
    `--secrets-key=${path.join(old.dataDir, 'secrets.key')}`,
  );
  expect(answer).toMatch(/^Restored into .*: 3 sessions, \d+ events, 1 objects, as of 20/);
  expect(answer).toContain('Computers of sessions that count as lost: 2');
  expect(await run(dataDir, 'restore', folder)).toMatch(/ is not empty, it has \w+: a backup is restored/);

  restored = new Product({}, dataDir);
  await restored.start();
  expect(await idle(restored, busy)).toBe('end_turn');
  expect(resultTexts(await events(restored.client, busy))).toEqual([
    expect.stringMatching(/computer was lost.*outcome is unknown.*was not repeated/s),
  ]);
  expect(readFileSync(path.join(workspaceOf(busy), 'trace'), 'utf8')).toBe('1\n');
  const log = await events(restored.client, busy);
  const errors = log.filter(({ type }) => type === 'session.error');
  expect(errors.map((each) => JSON.stringify(each))).toEqual([
    expect.stringContaining('it is not in the backup'),
  ]);
  await say(restored.client, busy, '- bash: echo 3 >> trace; cat trace');
  await until(restored, busy, 'a new computer', (all) => resultTexts(all).at(-1) === '3');
  expect(JSON.stringify(await events(restored.client, busy))).toContain('sandbox.replaced');

  const before = await events(restored.client, resting);
  expect(JSON.stringify(before)).toContain('"image/png"');
  expect(resultTexts(before)).not.toContain('later');
  await say(restored.client, resting, '- bash: echo lost');
  await until(restored, resting, 'the loss', (all) =>
    /was lost.*was not performed/s.test(resultTexts(all).at(-1) ?? ''),
  );
  expect(await idle(restored, resting)).toBe('end_turn');
  await say(restored.client, resting, '- bash: test "$TOKEN" = a-secret-valu""e && echo opened');
  await until(restored, resting, 'the secret', (all) => resultTexts(all).at(-1) === 'opened');

  const use =
    (await events(restored.client, waiting)).find(({ type }) => type === 'agent.tool_use')?.id ?? '';
  await restored.client.beta.sessions.events.send(waiting, {
    events: [{ type: 'user.tool_confirmation', tool_use_id: use, result: 'allow' }],
  });
  await until(restored, waiting, 'the allowed command', (all) => resultTexts(all).at(-1) === 'allowed');
  for (const id of [busy, resting, waiting]) {
    const checked = await fetch(`${restored.url}/v1/sessions/${id}/verify`);
    expect(await checked.json()).toMatchObject({ ok: true });
  }
  // The engine came along: its histories are the sessions' from their beginnings.
  expect(await replaySessions(restored)).toBe(3);
  writeFileSync(path.join(workspaceOf(busy), 'go'), '');
}, 360_000);

test('a folder that holds no whole backup is not restored, and nothing is overwritten', async () => {
  const half = path.join(home, 'half');
  cpSync(folder, half, { recursive: true });
  rmSync(path.join(half, 'backup.json'));
  const dataDir = path.join(home, 'other');
  expect(await run(dataDir, 'restore', half)).toBe(
    `${half} holds no backup, or one that was not finished: there is no backup.json`,
  );
  expect(existsSync(dataDir)).toBe(false);
  mkdirSync(dataDir);
  writeFileSync(path.join(dataDir, 'mine'), '');
  expect(await run(dataDir, 'restore', folder, '--secrets-key=lost')).toMatch(/ is not empty, it has mine: /);
  expect(await run(path.join(home, 'nothing'), 'backup', path.join(home, 'new'))).toMatch(/ holds no store$/);
});
