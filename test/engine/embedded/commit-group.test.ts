import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommitGroup } from '../../../engine/embedded/persistence/commit-group.ts';
import { type SqliteDatabase, openDatabase } from '../../../engine/embedded/persistence/database.ts';

let folder: string;
let db: SqliteDatabase;
let failures: unknown[];
let effectErrors: unknown[];
let group: CommitGroup;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commit-group-'));
  db = openDatabase(join(folder, 'engine.db'), 'normal');
  failures = [];
  effectErrors = [];
  group = new CommitGroup(
    db,
    (error) => failures.push(error),
    (error) => effectErrors.push(error),
  );
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

const put = (key: string, value: string) => () => {
  db.prepare('INSERT INTO engine_meta (key, value) VALUES (?, ?)').run(key, value);
};
const stored = (): string[] => {
  const rows = db.prepare(`SELECT key FROM engine_meta WHERE key LIKE 'k%' ORDER BY key`).all();
  return (rows as { key: string }[]).map(({ key }) => key);
};

test('changes of one turn share a commit, and effects see it', async () => {
  const seen: string[][] = [];
  for (const key of ['k1', 'k2']) {
    group.transact(() => {
      group.write(put(key, 'x'));
      group.afterCommit(() => seen.push(stored()));
    });
  }
  expect(stored()).toEqual([]);
  await group.settled();
  expect(seen).toEqual([
    ['k1', 'k2'],
    ['k1', 'k2'],
  ]);
});

test('a change that throws leaves nothing, and those before it stay', async () => {
  group.transact(() => group.write(put('k1', 'x')));
  const change = (): void =>
    group.transact(() => {
      group.write(put('k2', 'x'));
      throw new Error('half way');
    });
  expect(change).toThrow('half way');
  await group.settled();
  expect(stored()).toEqual(['k1']);
});

test('what effects change is committed before anybody is told that all is settled', async () => {
  group.transact(() => {
    group.write(put('k1', 'x'));
    group.afterCommit(() => group.transact(() => group.write(put('k2', 'x'))));
  });
  await group.settled();
  expect(stored()).toEqual(['k1', 'k2']);
});

test('of a row written several times only the newest version is written', async () => {
  const written: string[] = [];
  for (const version of ['a', 'b', 'c']) {
    group.transact(() => group.writeLatest('row', () => written.push(version)));
  }
  await group.settled();
  expect(written).toEqual(['c']);
});

test('a failed commit writes nothing of its group, runs no effect, and is known to whoever waits', async () => {
  let effects = 0;
  group.transact(() => {
    group.write(put('k1', 'x'));
    group.write(put('k1', 'again'));
    group.afterCommit(() => effects++);
  });
  await expect(group.settled()).rejects.toThrow(/UNIQUE/);
  expect([stored(), effects, failures.length, group.failures]).toEqual([[], 0, 1, 1]);
  group.transact(() => group.write(put('k2', 'x')));
  await group.settled();
  expect(stored()).toEqual(['k2']);
});

test('an effect that throws does not keep others from running', async () => {
  let ran = false;
  group.transact(() => {
    group.write(put('k1', 'x'));
    group.afterCommit(() => {
      throw new Error('effect');
    });
    group.afterCommit(() => {
      ran = true;
    });
  });
  await group.settled();
  expect([ran, effectErrors.length]).toEqual([true, 1]);
});

test('what joins a commit is part of it, and so is what that adds in turn', async () => {
  const seen: string[][] = [];
  group.transact(() => {
    group.afterCommit(() => seen.push(stored()));
    group.joinCommit(() => {
      group.transact(() => {
        group.write(put('k2', 'x'));
        group.joinCommit(() => group.transact(() => group.write(put('k3', 'x'))));
      });
    });
    group.write(put('k1', 'x'));
  });
  expect(group.isIdle).toBe(false);
  await group.settled();
  expect(seen).toEqual([['k1', 'k2', 'k3']]);
  expect(group.isIdle).toBe(true);
});

test('a joined step that throws takes nothing with it, and one of a change that throws is not run', async () => {
  const change = (): void =>
    group.transact(() => {
      group.joinCommit(() => group.transact(() => group.write(put('k1', 'x'))));
      throw new Error('half way');
    });
  expect(change).toThrow('half way');
  group.transact(() => {
    group.joinCommit(() => {
      throw new Error('step');
    });
    group.joinCommit(() => group.transact(() => group.write(put('k3', 'x'))));
    group.write(put('k2', 'x'));
  });
  await group.settled();
  expect([stored(), effectErrors.length]).toEqual([['k2', 'k3'], 1]);
});

test('a commit that fails takes away what joined it and the joined steps that were not run', async () => {
  let ran = 0;
  group.transact(() => {
    group.write(put('k1', 'x'));
    group.joinCommit(() => {
      group.transact(() => group.write(put('k1', 'again')));
      group.commitWrites();
    });
    group.joinCommit(() => ran++);
    group.afterCommit(() => ran++);
  });
  await expect(group.settled()).rejects.toThrow(/UNIQUE/);
  expect([stored(), ran, failures.length]).toEqual([[], 0, 1]);
  expect(group.isIdle).toBe(true);
});
