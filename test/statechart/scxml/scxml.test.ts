import path from 'node:path';
import { DurableRows } from '../behaviour/durable.ts';
import { findingsOf } from '../behaviour/findings.ts';
import { runPlain } from '../behaviour/plain.ts';
import { runPure } from '../behaviour/pure.ts';
import type { Row } from '../behaviour/row.ts';
import type { Look, View } from '../behaviour/view.ts';
import { startTestEngine } from '../../support/engine.ts';
import { sampled } from '../../support/sampled.ts';
import { connectTemporal } from '../../support/temporal.ts';
import { bundleWorkflows } from '../../support/workflow-bundle.ts';
import { cases, scxmlRows } from './scxml-rows.ts';

/** XState itself, by case. */
const plain = new Map<string, readonly Look[]>();

beforeAll(async () => {
  // XState's own warnings about what the documents do on purpose.
  jest.spyOn(console, 'warn').mockReturnValue();
  for (const row of scxmlRows) plain.set(row.name, await runPlain(row));
});

/** The keys of all active states, which are the documents' ids. */
const active = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, below]) => [key, ...active(below)])
    : [String(value)];

test('in XState itself every case goes through its configurations', () => {
  expect(cases).toHaveLength(169);
  const wrong = cases.filter(({ name, initialConfiguration, events }) => {
    const looks = (plain.get(name) ?? []).map(({ view }) => active(view.value));
    // A wait before an event is a step of its own.
    const afterEvents = events.map((_, index) =>
      events.slice(0, index + 1).reduce((at, { after }) => at + (after === undefined ? 1 : 2), 0),
    );
    const wanted: [number, readonly string[]][] = [
      // Where time passes before the first event, a document says where it is before its own events have come.
      ...(name.startsWith('w3c') && events.length > 0
        ? []
        : [[events.length === 0 ? 1 : 0, initialConfiguration] as [number, readonly string[]]]),
      ...events.map(({ nextConfiguration }, index): [number, readonly string[]] => [
        afterEvents[index] ?? 0,
        nextConfiguration,
      ]),
    ];
    return !wanted.every(([at, states]) =>
      states.every((state) => looks[at]?.includes(state.replaceAll('.', '$'))),
    );
  });
  expect(wrong.map(({ name }) => [name, plain.get(name)?.map(({ view }) => view.value)])).toEqual([]);
});

test.each([false, true])('a test actor does the same, continuing as new: %s', async (isCarried) => {
  const run = async (row: Row): Promise<Map<number, View>> =>
    new Map((await runPure(row, { isCarried })).entries());
  expect(await findingsOf(scxmlRows, plain, run, 1)).toEqual([]);
});

test('a durable workflow does the same', async () => {
  const workflowBundle = await bundleWorkflows(path.join(__dirname, 'workflows.ts'));
  const engine = await startTestEngine();
  const temporal = await connectTemporal(engine.connection);
  const durable = new DurableRows(scxmlRows);
  const worker = await temporal.work({ workflowBundle, sinks: durable.sinks });
  try {
    const run = async (row: Row): Promise<Map<number, View>> =>
      await durable.run(temporal, row, plain.get(row.name) ?? [], { mode: 'cached' });
    expect(await findingsOf(sampled(scxmlRows, 6), plain, run, 16)).toEqual([]);
  } finally {
    await worker.stop();
    await temporal.close();
    await engine.stop();
  }
}, 300_000);
