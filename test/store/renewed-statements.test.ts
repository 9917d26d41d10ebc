import path from 'node:path';
import { openDatabase as openEngine } from '../../engine/embedded/persistence/database.ts';
import { openDatabase as openStore } from '../../store/sqlite/database.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = temporaryFolder();

it.each([
  ['store', () => openStore(path.join(folder, 'store.db'))],
  ['engine', () => openEngine(path.join(folder, 'engine.db'), 'full')],
] as const)('a statement of the %s whose get has failed gets what the next one asks for', (_, open) => {
  const db = open();
  db.exec('CREATE TABLE t (id TEXT PRIMARY KEY) STRICT');
  const insert = db.prepare('INSERT INTO t VALUES (?) RETURNING id');
  expect(insert.get('a')).toMatchObject({ id: 'a' });
  for (let time = 0; time < 2; time += 1) expect(() => insert.get('a')).toThrow(/UNIQUE/);
  expect(insert.get('b')).toMatchObject({ id: 'b' });
  db.close();
});
