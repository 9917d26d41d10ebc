import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'libsql';
import { DataDirInUse, takeDataDir } from '../../app/data-dir.ts';

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), 'data-dir-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it.each([
  ['all', 'all'],
  ['all', 'server'],
  ['all', 'worker'],
  ['server', 'server'],
  ['server', 'all'],
  ['worker', 'all'],
] as const)('taken by %s, it is refused to %s until that ends', (first, second) => {
  const taken = takeDataDir(dir, first);
  expect(() => takeDataDir(dir, second)).toThrow(DataDirInUse);
  taken.release();
  takeDataDir(dir, second).release();
});

it('is shared by a server and a worker; who is refused holds no part of it', () => {
  const server = takeDataDir(dir, 'server');
  expect(() => takeDataDir(dir, 'all')).toThrow(/is in use by another Steadyhand/);
  const worker = takeDataDir(dir, 'worker');
  expect(existsSync(path.join(dir, 'server.pid'))).toBe(true);
  worker.release();
  server.release();
  expect(existsSync(path.join(dir, 'server.pid'))).toBe(false);
});

it('is refused while an earlier release works on it, which took one lock alone', () => {
  const earlier = new Database(path.join(dir, 'all.lock'));
  earlier.exec('PRAGMA locking_mode = EXCLUSIVE');
  earlier.exec('BEGIN EXCLUSIVE');
  expect(() => takeDataDir(dir, 'all')).toThrow(DataDirInUse);
  earlier.close();
  takeDataDir(dir, 'all').release();
});
