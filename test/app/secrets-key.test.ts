import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parsePreviousKeys, parseSecretsKey } from '../../app/config/secrets-key.ts';
import { SecretsKeyError, secretsKeys } from '../../app/secrets-key.ts';
import { createVault } from '../../sessions/index.ts';
import { temporaryStores } from '../store/temporary-store.ts';

const stores = temporaryStores();
const folder = mkdtempSync(path.join(os.tmpdir(), 'secrets-key-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const none = { key: undefined, file: undefined, previous: [] };
const hex = (): string => randomBytes(32).toString('hex');
const emptyFolder = (): string => mkdtempSync(path.join(folder, 'data-'));

test('a key is 32 bytes, by hexadecimal digits or base64; nothing else is one', () => {
  const bytes = randomBytes(32);
  const digits = bytes.toString('hex');
  expect(parseSecretsKey(digits.toUpperCase())).toBe(digits);
  expect(parseSecretsKey(bytes.toString('base64'))).toBe(digits);
  expect(parseSecretsKey(bytes.toString('base64url'))).toBe(digits);
  for (const text of ['', 'secret', digits.slice(1), `${digits}0`, `${bytes.toString('base64')}=`])
    expect(parseSecretsKey(text)).toBeUndefined();
  expect(parsePreviousKeys(`${digits}, ${digits}`)).toEqual([digits, digits]);
  expect(parsePreviousKeys('lost')).toEqual(['lost']);
  expect(parsePreviousKeys(`${digits},lost`)).toBeUndefined();
});

test('without a configured key one is made and kept; deleting it gives the secrets up', async () => {
  const store = await stores.open();
  const dir = emptyFolder();
  const { key } = await secretsKeys(store, dir, none);
  expect(Buffer.from(key)).toEqual(readFileSync(path.join(dir, 'secrets.key')));
  expect((await secretsKeys(store, dir, none)).key).toEqual(key);
  rmSync(path.join(dir, 'secrets.key'));
  const made = await secretsKeys(store, dir, none);
  expect(made.key).not.toEqual(key);
  writeFileSync(path.join(dir, 'secrets.key'), key);
  await expect(secretsKeys(store, dir, none)).rejects.toThrow(
    /secrets.key is not the key that the secrets in the store were sealed with: set that one, or add it as SECRETS_KEY_PREVIOUS/,
  );
});

test('another key than the one in use is refused at the start, unless that one is named beside it', async () => {
  const store = await stores.open();
  const dir = emptyFolder();
  const [first, second, third] = [hex(), hex(), hex()];
  const start = (key: string, ...previous: string[]): ReturnType<typeof secretsKeys> =>
    secretsKeys(store, dir, { key, file: undefined, previous });
  const sealed = createVault((await start(first)).key).seal('sesn_1', { TOKEN: 'hunter22' });
  await expect(start(second)).rejects.toThrow(SecretsKeyError);
  await expect(start(second)).rejects.toThrow(/^SECRETS_KEY is not the key/);

  // Both are known everywhere first, then the new one is used, by one process after the other.
  await start(first, second);
  const { key, previous } = await start(second, first);
  expect(createVault(key, {}, previous).open('sesn_1', sealed)).toEqual({ TOKEN: 'hunter22' });
  expect(() => createVault(key).open('sesn_1', sealed)).toThrow('sealed with another key');
  await start(first, second);
  await start(second, first);
  await start(second);
  await expect(start(first)).rejects.toThrow(SecretsKeyError);

  await start(third, 'lost');
  await start(third);
});

test('the key of a file counts, as bytes or as text; a file without one is named', async () => {
  const store = await stores.open();
  const file = path.join(folder, 'key');
  const bytes = randomBytes(32);
  for (const content of [bytes, `${bytes.toString('hex')}\n`, bytes.toString('base64')]) {
    writeFileSync(file, content);
    expect(Buffer.from((await secretsKeys(store, folder, { ...none, file })).key)).toEqual(bytes);
  }
  writeFileSync(file, 'secret');
  await expect(secretsKeys(store, folder, { ...none, file })).rejects.toThrow(
    `${file} holds no key: 32 bytes, or their hexadecimal digits or base64`,
  );
  rmSync(file);
  await expect(secretsKeys(store, folder, { ...none, file })).rejects.toThrow(`${file} cannot be read`);
});
