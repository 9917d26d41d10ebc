import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Connection } from '@temporalio/client';
import golden from '../../oracle/behaviour.json' with { type: 'json' };
import { deviations } from '../../oracle/behaviour/deviations.ts';
import { connectOnce, prepareServer, rows, runRows } from '../../oracle/behaviour/run-rows.ts';
import type { Answer } from '../../oracle/behaviour/transcript.ts';
import { startTestEngine } from './support/engine.ts';

/** What the real server answered (`test/oracle/record-behaviour.ts`). */
const recorded = golden as unknown as Readonly<Record<string, readonly Answer[]>>;

let engine: Awaited<ReturnType<typeof startTestEngine>>;
let connection: Connection;
let answers: ReadonlyMap<string, readonly Answer[] | Error>;

beforeAll(async () => {
  engine = await startTestEngine();
  connection = await connectOnce(engine.engine.connection);
  await prepareServer(connection);
  answers = await runRows(connection);
});

afterAll(async () => {
  await connection.close();
  await engine.close();
});

test('every row was recorded, and every deviation is of a row', () => {
  const names = rows.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(Object.keys(recorded)).toEqual(names);
  expect(names).toEqual(expect.arrayContaining(Object.keys(deviations)));
});

test('the page of the engine names every deviation', () => {
  const page = readFileSync(join(__dirname, '../../../docs/engine.md'), 'utf8');
  for (const reason of Object.values(deviations)) expect(page).toContain(reason);
  expect(page).toContain(`to ${rows.length} requests`);
});

test.each(rows.filter(({ name }) => deviations[name] === undefined))(
  'as the real server: $name',
  ({ name }) => {
    expect(answers.get(name)).toEqual(recorded[name]);
  },
);

test.each(Object.entries(deviations))('other than the real server: %s (%s)', (name) => {
  expect(answers.get(name)).not.toBeInstanceOf(Error);
  expect(answers.get(name)).not.toEqual(recorded[name]);
});
