import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { EngineUnavailableError } from '../../../engine/index.ts';
import {
  SchemaTooNewError,
  openDatabase,
  readMeta,
  writeMeta,
} from '../../../engine/embedded/persistence/database.ts';
import { RunStore } from '../../../engine/embedded/mutable-state/run-store.ts';
import { MIGRATIONS, SCHEMA } from '../../../engine/embedded/persistence/schema.ts';
import { unusableDatabase } from '../../../engine/embedded/persistence/unusable-database.ts';
import { type TestEngine, startTestEngine } from './support/engine.ts';
import { folderForEach } from '../../support/temporary-folder.ts';

const folder = folderForEach();
let file: string;

beforeEach(() => {
  file = join(folder(), 'engine.db');
});

const versionOf = (path: string): string | undefined => {
  const db = new Database(path);
  try {
    return readMeta(db, 'schema_version');
  } finally {
    db.close();
  }
};

describe('migrations', () => {
  const steps = [SCHEMA, 'CREATE TABLE second (a)', 'CREATE TABLE third (a)'].map((sql) => ({ sql }));

  test('the steps that are missing are made, in order, and counted', () => {
    openDatabase(file, 'normal', steps.slice(0, 1)).close();
    expect(versionOf(file)).toBe('1');
    const db = openDatabase(file, 'normal', steps);
    db.exec('INSERT INTO third SELECT a FROM second');
    db.close();
    expect(versionOf(file)).toBe('3');
    openDatabase(file, 'normal', steps).close();
  });

  test('a step that fails leaves the file as it was', () => {
    openDatabase(file, 'normal', steps.slice(0, 1)).close();
    const wrong = [...steps.slice(0, 2), { sql: 'CREATE TABLE second (b)' }];
    expect(() => openDatabase(file, 'normal', wrong)).toThrow(/already exists/);
    expect(versionOf(file)).toBe('1');
    openDatabase(file, 'normal', steps).close();
  });

  test('the release before goes on with a file to which a newer one only added, and the newer one after it', () => {
    openDatabase(file, 'normal', steps).close();
    const before = openDatabase(file, 'normal', steps.slice(0, 2));
    before.exec('INSERT INTO second VALUES (1)');
    before.close();
    expect(versionOf(file)).toBe('3');
    const after = openDatabase(file, 'normal', steps);
    expect(after.prepare('SELECT count(*) AS n FROM second').get()).toMatchObject({ n: 1 });
    after.close();
  });

  test('a release from before a step that breaks is refused, those from after it are not', () => {
    const breaking = [
      ...steps.slice(0, 1),
      { sql: 'CREATE TABLE moved (a)', isBreaking: true },
      ...steps.slice(1),
    ];
    openDatabase(file, 'normal', breaking).close();
    openDatabase(file, 'normal', breaking.slice(0, 2)).close();
    expect(() => openDatabase(file, 'normal', breaking.slice(0, 1))).toThrow(SchemaTooNewError);
    expect(versionOf(file)).toBe('4');
  });

  test('a whole engine works on a file with the additions of a later release', async () => {
    const later = [...MIGRATIONS, { sql: "ALTER TABLE runs ADD COLUMN later TEXT NOT NULL DEFAULT 'x'" }];
    openDatabase(file, 'normal', later).close();
    const engine = await startTestEngine({ dbPath: file });
    await engine.client.workflow.start('any', { workflowId: 'w', taskQueue: 'q' });
    await engine.close();
    expect(versionOf(file)).toBe(String(later.length));
  });
});

/** The engine's file as the releases before the first migration left it: no steps, and pages that are never given back. */
function earlierFile(): void {
  const db = new Database(file);
  db.exec('PRAGMA journal_mode = WAL');
  db.exec(SCHEMA);
  writeMeta(db, 'schema_version', '1');
  writeMeta(db, 'cluster_id', 'an-earlier-one');
  db.prepare('INSERT INTO namespaces VALUES (?, ?, ?, ?, ?)').run('kept', 'id-of-it', 'told', '', 86_400_000);
  db.close();
}

test('a file of an earlier release is opened with what is in it, and can shrink from then on', async () => {
  earlierFile();
  const engine = await startTestEngine({ dbPath: file });
  const { workflowService } = engine.connection;
  expect((await workflowService.getClusterInfo({})).clusterId).toBe('an-earlier-one');
  const { namespaceInfo } = await workflowService.describeNamespace({ namespace: 'kept' });
  expect(namespaceInfo).toMatchObject({ id: 'id-of-it', description: 'told' });
  await engine.close();
  const db = new Database(file);
  expect(db.prepare('PRAGMA auto_vacuum').get()).toMatchObject({ auto_vacuum: 2 });
  expect(db.prepare('PRAGMA integrity_check').get()).toMatchObject({ integrity_check: 'ok' });
  db.close();
});

test('what earlier releases kept in one text for each run is found in rows of its own', () => {
  const earlier = openDatabase(file, 'normal', [{ sql: SCHEMA }]);
  const state = {
    status: 1,
    nextEventId: 30,
    updates: { u: { acceptedEventId: 4 } },
    activities: {
      '12': { scheduledEventId: 12, activityId: 'a', scheduledTime: 1.5 },
      '5': { scheduledEventId: 5 },
    },
    timers: {
      '7': { startedEventId: 6, fireAt: 1234567890123.25 },
      'a "quoted"\n✓': { startedEventId: 9, fireAt: 2 },
    },
    children: { '20': { initiatedEventId: 20, workflowId: 'child' } },
  };
  const insert = earlier.prepare('INSERT INTO runs VALUES (?, ?, ?, ?, ?, NULL, 0)');
  insert.run(1, 'n', 'w', 'full', JSON.stringify(state));
  insert.run(2, 'n', 'w', 'empty', JSON.stringify({ ...state, activities: {}, timers: {}, children: {} }));
  earlier.close();
  const db = openDatabase(file, 'normal');
  const store = new RunStore(db);
  const { activities, timers, children, ...rest } = state;
  const stored = (runId: string): unknown => {
    const found = store.find({ namespace: 'n', workflowId: 'w', runId });
    return {
      ...found,
      items: found?.items.map(({ kind, id, item }) => [kind, id, JSON.parse(item) as unknown]),
    };
  };
  const items = [
    ['activity', 5, activities['5']],
    ['activity', 12, activities['12']],
    ['child', 20, children['20']],
    ...Object.entries(timers).map(([id, timer]) => ['timer', id, timer]),
  ];
  expect(stored('full')).toEqual({ run_key: 1, state: rest, items });
  expect(stored('empty')).toEqual({ run_key: 2, state: rest, items: [] });
  db.close();
});

describe('a file that cannot be used ends the start with one line that names it and says what to do', () => {
  const startOf = async (): Promise<string> => {
    let engine: TestEngine;
    try {
      engine = await startTestEngine({ dbPath: file });
    } catch (error) {
      expect(error).toBeInstanceOf(EngineUnavailableError);
      const { message } = error as Error;
      expect(message).toContain(file);
      expect(message).not.toContain('\n');
      return message;
    }
    await engine.close();
    throw new Error('it started');
  };
  const written = async (): Promise<Buffer> => {
    const engine = await startTestEngine({ dbPath: file });
    await engine.close();
    return readFileSync(file);
  };

  test('no database', async () => {
    writeFileSync(file, 'never a database'.repeat(1000));
    expect(await startOf()).toMatch(
      /file is not a database.*damaged.*copy of it in its place, or move it away/,
    );
  });

  test('a damaged page', async () => {
    const bytes = await written();
    writeFileSync(file, bytes.fill(0xff, 100, 4096));
    expect(await startOf()).toMatch(/malformed.*damaged/);
  });

  test('a damaged page that is read only when work is taken up', async () => {
    const bytes = await written();
    // All but the first page, which holds the names of the tables.
    writeFileSync(file, bytes.fill(0xff, 4096));
    expect(await startOf()).toMatch(/damaged/);
  });

  test('a folder', async () => {
    mkdirSync(file);
    expect(await startOf()).toMatch(/cannot be opened for writing/);
  });

  test('one that a newer release has written', async () => {
    await written();
    const db = new Database(file);
    writeMeta(db, 'schema_version', '999');
    writeMeta(db, 'oldest_schema', '999');
    db.close();
    expect(await startOf()).toMatch(/its schema is 999.*a newer release has written it; start that one/);
    expect(versionOf(file)).toBe('999');
  });

  test("another program's database, which is left as it was", async () => {
    const db = new Database(file);
    db.exec('CREATE TABLE accounts (a)');
    db.close();
    const bytes = readFileSync(file);
    expect(await startOf()).toMatch(/has the table accounts.*another program's database: name another file/);
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test('one whose end is missing', async () => {
    const bytes = await written();
    writeFileSync(file, bytes.subarray(0, 4096 * 3));
    expect(await startOf()).toMatch(/malformed.*damaged/);
  });

  test('one that another engine uses', async () => {
    const engine = await startTestEngine({ dbPath: file });
    expect(await startOf()).toMatch(/another process has it open: stop that one/);
    await engine.close();
    await written();
  }, 30_000);

  test('one that another process has open for itself', async () => {
    const other = new Database(file);
    other.exec('PRAGMA locking_mode = EXCLUSIVE');
    other.exec('BEGIN EXCLUSIVE');
    other.exec('CREATE TABLE held (a)');
    expect(await startOf()).toMatch(/another process has it open: stop that one/);
    other.close();
  }, 30_000);

  test('one that may not be written', () => {
    // What the driver answers an ordinary user; root may write whatever the mode says.
    const code = 'UNKNOWN_SQLITE_ERROR_1544';
    const error = Object.assign(new Error('attempt to write a readonly database'), { code });
    expect(String(unusableDatabase(file, error))).toMatch(/cannot be opened for writing: look at the owner/);
  });

  test('another fault of the program stays as it is', () => {
    const fault = new TypeError('undefined is no function');
    expect(unusableDatabase(file, fault)).toBe(fault);
  });
});
