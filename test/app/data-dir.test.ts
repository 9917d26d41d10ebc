import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';
import { DataDirInUseError, DataDirOpenError, takeDataDir } from '../../app/data-dir.ts';
import { folderForEach } from '../support/temporary-folder.ts';

const dir = folderForEach();

it.each([
  ['all', 'all'],
  ['all', 'server'],
  ['all', 'worker'],
  ['server', 'server'],
  ['server', 'all'],
  ['worker', 'all'],
] as const)('taken by %s, it is refused to %s until that ends', (first, second) => {
  const taken = takeDataDir(dir(), first);
  expect(() => takeDataDir(dir(), second)).toThrow(DataDirInUseError);
  taken.release();
  takeDataDir(dir(), second).release();
});

it('is shared by a server and a worker; who is refused holds no part of it', () => {
  const server = takeDataDir(dir(), 'server');
  expect(() => takeDataDir(dir(), 'all')).toThrow(/is in use by another Steadyhand/);
  const worker = takeDataDir(dir(), 'worker');
  expect(existsSync(path.join(dir(), 'server.pid'))).toBe(true);
  worker.release();
  server.release();
  expect(existsSync(path.join(dir(), 'server.pid'))).toBe(false);
});

it('is refused while an earlier release works on it, which took one lock alone', () => {
  const earlier = new Database(path.join(dir(), 'all.lock'));
  earlier.exec('PRAGMA locking_mode = EXCLUSIVE');
  earlier.exec('BEGIN EXCLUSIVE');
  expect(() => takeDataDir(dir(), 'all')).toThrow(DataDirInUseError);
  earlier.close();
  takeDataDir(dir(), 'all').release();
});

describe('a folder that other users could read', () => {
  const modeOf = (...names: string[]): string =>
    (statSync(path.join(dir(), ...names)).mode & 0o777).toString(8);

  it('is closed to them, with the databases in it, and that is told', () => {
    mkdirSync(path.join(dir(), 'engine'), { mode: 0o755 });
    writeFileSync(path.join(dir(), 'engine', 'engine.db'), '', { mode: 0o644 });
    chmodSync(dir(), 0o755);
    const taken = takeDataDir(dir(), 'all');
    expect([modeOf(), modeOf('engine'), modeOf('engine', 'engine.db')]).toEqual(['700', '700', '600']);
    expect(taken.warnings).toEqual([
      `DATA_DIR=${dir()} was open to other users (mode 755) and is now closed to them`,
    ]);
    taken.release();
    const again = takeDataDir(dir(), 'all');
    expect(again.warnings).toEqual([]);
    again.release();
  });

  it('is refused in one line where it is not this process’s to close', () => {
    // The kernel's own folder is open to all and takes no other mode, whoever asks.
    expect(() => takeDataDir('/proc/self/fdinfo/..', 'all')).toThrow(DataDirOpenError);
  });
});
