import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { readApiKeysFile, type ApiKeysFile } from '../../app/config/api-keys-file.ts';
import { ConfigFileError } from '../../app/config/yaml-file.ts';
import { clientKey } from '../../server/auth/client-key.ts';
import { folderForEach } from '../support/temporary-folder.ts';

const KEY = 'sk-alice-0123456789';
const SHA256 = createHash('sha256').update('sk-bob-0123456789').digest('hex');

const folder = folderForEach();
let file: string;
beforeEach(() => {
  file = path.join(folder(), 'keys.yaml');
});

function read(text: string, env: Record<string, string> = {}, mode = 0o600): ApiKeysFile {
  fs.writeFileSync(file, text);
  fs.chmodSync(file, mode);
  return readApiKeysFile(file, env, { requests: 50, outputTokens: 8000 });
}

it('names keys by themselves, by a variable or by their digest, each with limits of its own', () => {
  const { keys, secrets, warning } = read(
    `keys:
  - name: alice
    key: ${KEY}
  - name: carol
    key: \${CAROL}
    limits: {requests: 5, input_tokens: 1000, streams: 2}
  - name: bob
    sha256: ${SHA256.toUpperCase()}
    limits: {requests: null, output_tokens: null}
`,
    { CAROL: 'sk-carol-0123456789' },
  );
  expect(keys).toEqual([
    clientKey(KEY, 'alice', { requests: 50, outputTokens: 8000 }),
    clientKey('sk-carol-0123456789', 'carol', {
      requests: 5,
      inputTokens: 1000,
      outputTokens: 8000,
      streams: 2,
    }),
    { name: 'bob', sha256: SHA256, limits: {} },
  ]);
  expect(secrets).toEqual([KEY, 'sk-carol-0123456789']);
  expect(warning).toBeUndefined();
});

it('says what a key may do with workflows, which is nothing unless it is said', () => {
  const { keys } = read(`keys:
  - {name: a, key: ${KEY}, workflows: act}
  - {name: b, sha256: ${SHA256}, workflows: read}
  - {name: c, key: sk-carol-0123456789}
`);
  expect(keys.map(({ workflows }) => workflows)).toEqual(['act', 'read', undefined]);
  expect(() => read(`keys: [{name: a, key: ${KEY}, workflows: write}]`)).toThrow('keys.0.workflows: ');
});

it('warns about keys that others on the machine can read, not about digests', () => {
  expect(read(`keys: [{name: a, key: ${KEY}}]`, {}, 0o640).warning).toBe(
    `${file} holds keys and can be read by others on this machine: chmod 600 it, or write sha256 in place of key`,
  );
  expect(read(`keys: [{name: a, sha256: ${SHA256}}]`, {}, 0o644).warning).toBeUndefined();
});

it.each([
  ['', 'expected object, received null'],
  ['keys: []', 'keys: Too small'],
  ['key: x', 'keys: this field is required'],
  ['keys: []\nlimits: {}', 'keys: Too small'],
  ['keys: [{key: 12345678}]', 'keys.0.name: this field is required'],
  ['keys: [{name: a}]', 'keys.0: expected either key or sha256'],
  [`keys: [{name: a, key: ${KEY}, sha256: ${SHA256}}]`, 'keys.0: expected either key or sha256'],
  [`keys: [{name: a b, key: ${KEY}}]`, 'keys.0.name: expected letters, digits and . _ @ -, at most 64'],
  [
    'keys: [{name: a, key: short}]',
    'keys.0.key: expected at least 8 printable ASCII characters without spaces',
  ],
  ['keys: [{name: a, sha256: abc}]', 'keys.0.sha256: expected 64 hexadecimal digits'],
  ['keys: [{name: a, key: "${NOT_SET}"}]', 'keys.0.key: the environment variable NOT_SET is not set (key a)'],
  [`keys: [{name: default, key: ${KEY}}]`, 'keys.0.name: default is the name of API_KEY'],
  [`keys: [{name: a, key: ${KEY}}, {name: a, key: ${KEY}1}]`, 'keys.1.name: a is taken by an earlier entry'],
  [
    `keys: [{name: a, key: ${KEY}}, {name: b, key: ${KEY}}]`,
    'keys.1.key: the same key as in an earlier entry',
  ],
  [
    `keys: [{name: a, key: ${KEY}, limit: {}}]`,
    'keys.0.limit: no such field; expected name, key, sha256, limits',
  ],
  [`keys: [{name: a, ${KEY}: key}]`, 'keys.0.(a field): no such field; expected name, key, sha256, limits'],
  [
    `keys: [{name: a, key: ${KEY}, limits: {rpm: 1}}]`,
    'keys.0.limits.rpm: no such field; expected requests, input_tokens, output_tokens, streams',
  ],
  [
    `keys: [{name: a, key: ${KEY}, limits: {requests: many}}]`,
    'keys.0.limits.requests: expected a whole number, or null for no limit',
  ],
  [`keys: [{name: a, key: ${KEY}`, 'not valid YAML at line 1, column '],
])('%s ends the start with one line that repeats no key', (text, message) => {
  let thrown: unknown;
  try {
    read(text);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ConfigFileError);
  const told = (thrown as Error).message;
  expect(told.slice(0, `${file}: ${message}`.length)).toBe(`${file}: ${message}`);
  expect(told).not.toContain('\n');
  expect(told).not.toContain(KEY);
});
