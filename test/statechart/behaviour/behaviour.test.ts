import path from 'node:path';
import type { WorkflowBundle } from '@temporalio/worker';
import { pageOnDisk } from '../../generated-page.ts';
import { startTestEngine, type TestEngine } from '../../support/engine.ts';
import { sampled } from '../../support/sampled.ts';
import { connectTemporal } from '../../support/temporal.ts';
import { bundleWorkflows } from '../../support/workflow-bundle.ts';
import { differences, type Way } from './differences.ts';
import { differencesPage } from './differences-page.ts';
import { DurableRows, type Mode } from './durable.ts';
import { findingsOf, type Finding } from './findings.ts';
import { runPlain } from './plain.ts';
import { runPure } from './pure.ts';
import { rows } from './rows/index.ts';
import type { Row } from './row.ts';
import { endOf, type Look, type View } from './view.ts';

/** XState itself, by row. */
const plain = new Map<string, readonly Look[]>();
let engine: TestEngine;
let bundle: WorkflowBundle;

const only = process.env['STEADYHAND_TEST_ROWS'];
const chosen = only === undefined ? rows : rows.filter(({ name }) => name.includes(only));

/** How many rows stand for one in each mode: as a workflow, a row costs much, with a replay or a new run at every task most. */
const SHARE = { cached: 24, replayed: 192, continued: 128 } as const satisfies Readonly<Record<Mode, number>>;

beforeAll(async () => {
  bundle = await bundleWorkflows(path.join(__dirname, 'workflows.ts'));
  engine = await startTestEngine();
  // XState's own warnings about what the rows do on purpose.
  jest.spyOn(console, 'warn').mockReturnValue();
  for (const row of chosen) plain.set(row.name, await runPlain(row));
}, 180_000);

afterAll(async () => {
  await engine.stop();
});

const listed = (way: Way): readonly string[] =>
  differences.filter(({ ways }) => ways.includes(way)).map(({ row }) => row);

/** Findings that are no listed difference, and listed differences that were not found. */
function surprises(
  way: Way,
  findings: readonly Finding[],
  among: readonly Row[] = chosen,
): readonly unknown[] {
  const known = listed(way).filter((name) => among.some((row) => row.name === name));
  const found = findings.map(({ row }) => row);
  return [
    ...findings.filter(({ row }) => !known.includes(row)),
    ...known.filter((name) => plain.has(name) && !found.includes(name)),
  ];
}

test('the table is large, and its rows have names of their own', () => {
  expect(rows.length).toBeGreaterThanOrEqual(250);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
});

test('the page of the differences is what this table says', () => {
  const page = differencesPage(rows, differences);
  expect(pageOnDisk('docs/statechart-differences.md', page)).toBe(page);
});

test('in XState itself each row ends where it says', () => {
  const ends = chosen.map(({ name, ends: end }) => [name, end]);
  const found = chosen.map(({ name }) => {
    const last = plain.get(name)?.at(-1)?.view;
    return [name, last && endOf(last)];
  });
  expect(found).toEqual(ends);
});

test('a test actor does the same', async () => {
  const run = async (row: Row): Promise<Map<number, View>> =>
    new Map((await runPure(row, { isCarried: false })).entries());
  expect(surprises('test actor', await findingsOf(chosen, plain, run, 1))).toEqual([]);
});

test('a test actor that continues as new before each step does the same', async () => {
  const run = async (row: Row): Promise<Map<number, View>> =>
    new Map((await runPure(row, { isCarried: true })).entries());
  expect(surprises('test actor, continued', await findingsOf(chosen, plain, run, 1))).toEqual([]);
});

describe.each(['cached', 'replayed', 'continued'] as const satisfies readonly Mode[])(
  'a durable workflow, %s',
  (mode) => {
    test('does the same', async () => {
      const temporal = await connectTemporal(engine.connection);
      const durable = new DurableRows(rows);
      const worker = await temporal.work({
        workflowBundle: bundle,
        activities: durable.activities,
        sinks: durable.sinks,
        maxConcurrentActivityTaskExecutions: 500,
        ...(mode === 'replayed' ? { maxCachedWorkflows: 0 } : {}),
      });
      try {
        const taken = sampled(chosen, SHARE[mode]);
        const known = listed(`workflow, ${mode}`);
        const run = async (row: Row): Promise<Map<number, View>> =>
          await durable.run(temporal, row, plain.get(row.name) ?? [], {
            mode,
            isListed: known.includes(row.name),
          });
        const findings = await findingsOf(taken, plain, run, 8);
        expect(surprises(`workflow, ${mode}`, findings, taken)).toEqual([]);
      } finally {
        await worker.stop();
        await temporal.close();
      }
    }, 300_000);
  },
);
