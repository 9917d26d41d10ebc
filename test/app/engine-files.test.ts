import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readConfig } from '../../app/config/config.ts';
import { readEngineKeysFile } from '../../app/config/engine-keys-file.ts';
import { readEngineTls } from '../../app/config/engine-tls.ts';

const dir = mkdtempSync(join(tmpdir(), 'engine-files-'));
afterAll(() => rmSync(dir, { recursive: true }));
const tls = resolve(__dirname, '../engine/tls');

function file(text: string): string {
  const path = join(dir, 'file');
  writeFileSync(path, text, { mode: 0o600 });
  return path;
}

test('keys are known by their hashes alone', () => {
  const key = 'a-key-of-at-least-16-signs';
  const sha256 = createHash('sha256').update(key).digest('hex');
  const keys = readEngineKeysFile(
    file(
      `keys:\n  - {name: a, key: ${key}, namespaces: [x]}\n  - {name: b, sha256: ${sha256}, namespaces: [y, z]}`,
    ),
  );
  expect(keys).toEqual([
    { name: 'a', sha256, namespaces: ['x'] },
    { name: 'b', sha256, namespaces: ['y', 'z'] },
  ]);
});

test.each([
  ['keys: []', /file: keys: /],
  ['keys: [{name: a, key: short, namespaces: [x]}]', /keys\.0\.key: expected at least 16/],
  ['keys: [{name: a, namespaces: [x]}]', /keys\.0: expected either key or sha256/],
  ['keys: [{name: a, sha256: 5, namespaces: [x]}]', /keys\.0\.sha256/],
  [`keys: [{name: a, key: ${'k'.repeat(20)}, namespaces: []}]`, /keys\.0\.namespaces: expected the names/],
  ['- a', /file: /],
])('a file of keys that holds %p is refused by field', (text, message) => {
  expect(() => readEngineKeysFile(file(text))).toThrow(message);
  expect(() => readEngineKeysFile(file(text))).not.toThrow(/kkkk/);
});

test('the files of TLS are read, and refused where they hold something else', () => {
  const files = {
    host: '127.0.0.1',
    port: 0,
    cert: join(tls, 'localhost.crt'),
    key: join(tls, 'localhost.key'),
    clientCa: undefined,
  };
  expect(readEngineTls(files).cert).toMatch(/BEGIN CERTIFICATE/);
  expect(() => readEngineTls({ ...files, key: files.cert })).toThrow(
    /expected a PEM file with a private key/,
  );
  expect(() => readEngineTls({ ...files, clientCa: join(dir, 'none') })).toThrow(
    /none: cannot be read: ENOENT/,
  );
});

test('a certificate needs its key', () => {
  expect(() => readConfig({ ENGINE_TLS_CERT: '/c' }, [])).toThrow(/ENGINE_TLS_KEY/);
  expect(() => readConfig({ ENGINE_TLS_CLIENT_CA: '/c' }, [])).toThrow(/ENGINE_TLS_CERT/);
});
