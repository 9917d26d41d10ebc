import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { entriesBelow } from '../support/entries-below.ts';
import { productForAll } from '../support/product.ts';
import { events, idle, resultTexts, say } from './support.ts';

const TOKEN = 'tok-9f\'8a"7b $HOME/ü';
const PIN = 'pin-4711-0815';
const SHARED = 'shared-by-the-server-1\nand-its-second-line';
const FILE = path.join(os.tmpdir(), `secrets-${process.pid}.yaml`);
writeFileSync(FILE, JSON.stringify({ deploy: SHARED }), { mode: 0o600 });
const product = productForAll({ SECRETS_FILE: FILE, LOG_LEVEL: 'debug' });
afterAll(() => rm(FILE));

const TOOLS = [
  { type: 'computer_toolset_20260801' },
  { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
  { type: 'bash_20250124', name: 'bash' },
];
const SECRETS = {
  API_TOKEN: TOKEN,
  PIN: { value: PIN, window_title: 'Login' },
  DEPLOY_KEY: { from: 'deploy', allowed_tools: ['bash'] },
};
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

async function create(secrets: object): Promise<{ id: string; secrets?: unknown }> {
  const { client } = product;
  const agent = await client.beta.agents.create({ name: 'a', model: 'script', tools: TOOLS as never });
  const environment = await client.beta.environments.create({ name: `e-${agent.id}` });
  const body = { agent: agent.id, environment_id: environment.id, secrets };
  return await client.beta.sessions.create(body);
}

const WINDOW = (title: string): string =>
  `xterm -T '${title}' -e sh -c 'IFS= read -r x; printf %s "$x" > typed' & ` +
  `xdotool search --sync --onlyvisible --name '^${title}$' windowactivate --sync`;

test('secrets are used by name, and their values are nowhere but where they were put', async () => {
  const { id, secrets } = await create(SECRETS);
  expect(secrets).toEqual([
    { name: 'API_TOKEN', allowed_tools: ['computer', 'editor', 'bash'] },
    { name: 'PIN', allowed_tools: ['computer'], window_title: ['Login'] },
    { name: 'DEPLOY_KEY', allowed_tools: ['bash'] },
  ]);
  const steps = [
    { bash: 'printf %s "$API_TOKEN" | sha256sum; printf %s "$DEPLOY_KEY" | sha256sum' },
    { bash: 'set -x; echo "$API_TOKEN"; set +x; false; printf %s "$API_TOKEN" | base64; echo "$?"' },
    { bash: 'declare -p | grep -c 4711; env | grep -c tok-9f; declare -p | grep -c shared-by; echo end' },
    { bash: 'echo {{secret:API_TOKEN}}' },
    { bash: 'echo "$PIN"' },
    { bash: 'echo "$DEPLOY_KEY"' },
    { edit: { command: 'create', path: '/home/agent/t', file_text: 'key={{secret:API_TOKEN}}\n' } },
    { edit: { command: 'view', path: '/home/agent/t' } },
    { edit: { command: 'create', path: '/home/agent/u', file_text: '{{secret:DEPLOY_KEY}}' } },
    { edit: { command: 'create', path: '/home/agent/u', file_text: '{{secret:NONE}}' } },
    { bash: 'sha256sum < t; cat t' },
    { bash: WINDOW('Other') },
    { computer: { action: 'type', text: '{{secret:PIN}}' } },
    { bash: WINDOW('Login') },
    { computer: { action: 'type', text: '{{ secret:PIN }}\n' } },
    { bash: 'until [ -s typed ]; do sleep 0.1; done; sha256sum < typed; cat typed' },
  ];
  await say(product.client, id, JSON.stringify(steps.map((step) => ({ ...step, or_continue: true }))));
  expect(await idle(product, id)).toBe('end_turn');
  const log = await events(product.client, id);
  const texts = resultTexts(log);
  expect(texts[0]).toBe(`${sha(TOKEN)}  -\n${sha(SHARED)}  -`);
  expect(texts[1]).toContain('[secret:API_TOKEN]');
  expect(texts[2]).toBe('0\n0\n0\nend');
  expect(texts[3]).toBe(
    'In a command a secret is an environment variable: write "$API_TOKEN" in the place of {{secret:API_TOKEN}}.',
  );
  expect(texts[4]).toBe('The secret PIN may not be used with the bash tool, only with: computer.');
  expect(texts[5]).toBe('[secret:DEPLOY_KEY]');
  expect(texts[7]).toContain('key=[secret:API_TOKEN]');
  expect(texts[8]).toBe('The secret DEPLOY_KEY may not be used with the editor tool, only with: bash.');
  expect(texts[9]).toContain('There is no secret named NONE.');
  expect(texts[10]).toBe(`${sha(`key=${TOKEN}\n`)}  -\nkey=[secret:API_TOKEN]`);
  expect(texts[12]).toBe(
    'Not performed: the secret PIN may only be typed, and only into a window titled "Login"; "Other" has the keyboard.',
  );
  expect(texts[15]).toBe(`${sha(PIN)}  -\n[secret:PIN]`);

  const recording = await (await fetch(`${product.url}/v1/sessions/${id}/recording`)).text();
  expect(recording).toContain('{{secret:NAME}}');
  const told = JSON.stringify([
    log,
    await product.client.beta.sessions.retrieve(id),
    recording,
    product.stderr,
  ]);
  for (const value of [TOKEN, PIN, SHARED, 'and-its-second-line', JSON.stringify(TOKEN).slice(1, -1)])
    expect(told).not.toContain(value);
  expect(filesWith(product.dataDir, ["9f'8a", 'pin-4711', 'shared-by-the'])).toEqual([
    // The editor's history of the file that it was written into.
    expect.stringMatching(/\/undo\/[^/]+$/),
    expect.stringMatching(/\/workspace\/t$/),
    expect.stringMatching(/\/workspace\/typed$/),
  ]);
  expect(statSync(path.join(product.dataDir, 'secrets.key')).mode & 0o777).toBe(0o600);
}, 360_000);

/** Nothing for a file that was removed since it was listed: the product runs. */
function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** The files below a folder that hold one of these texts. */
function filesWith(folder: string, texts: readonly string[]): string[] {
  return entriesBelow(folder)
    .map((name) => path.join(folder, name))
    .filter((file) => lstatSync(file, { throwIfNoEntry: false })?.isFile() === true)
    .filter((file) => {
      const bytes = bytesOf(file);
      return texts.some((text) => bytes.includes(text));
    })
    .toSorted();
}

test.each<[string, object, string]>([
  ['a short value', { A: 'abc' }, 'secrets.A.value: a value has at least 4 characters'],
  ['a name that steers programs', { LD_PRELOAD: 'long-value-1' }, 'secrets.LD_PRELOAD: a name that programs'],
  ['a name of other letters', { token: 'long-value-1' }, 'secrets.token: a name is capital letters'],
  ['an unknown name', { A: { from: 'nothing' } }, 'secrets.A.from: this server has no secret named nothing'],
  ['neither', { A: { allowed_tools: [] } }, 'secrets.A: expected either `value` or `from`'],
  ['another field', { A: { value: 'long-value-1', x: 1 } }, 'secrets.A.x: Extra inputs are not permitted'],
  [
    'no pattern',
    { A: { value: 'long-value-1', window_title: '(' } },
    'secrets.A.window_title: not a pattern',
  ],
])('a session is not made with %s, and the error repeats no value', async (_, secrets, message) => {
  const error = await create(secrets).then(
    () => 'made',
    (caught: unknown) => String(caught),
  );
  expect(error).toContain(message);
  expect(error).not.toContain('long-value-1');
});
