import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { createMachine, type InspectionEvent } from 'xstate';
import {
  checkHistories,
  diffRuns,
  inspectActor,
  inspectHistory,
  type StatelyInspectionEvent,
} from '../../../statechart/client/index.ts';
import { bundling } from '../../support/bundling.ts';
import { bundleWorkflows } from '../../support/workflow-bundle.ts';
import { order, orderMachine, parcel } from './machines.ts';
import { Bench, until } from './support.ts';

let bench: Bench;
let worker: { stop(): Promise<void> };
const folder = mkdtempSync(path.join(os.tmpdir(), 'seen-'));

beforeAll(async () => {
  bench = await Bench.start();
  worker = await bench.temporal.work({
    workflowBundle: await bundleWorkflows(path.join(__dirname, 'machines.ts')),
    activities: { charge: async ({ amount }: { amount: number }) => await Promise.resolve(`paid ${amount}`) },
  });
}, 180_000);

afterAll(async () => {
  await worker.stop();
  await bench.stop();
  rmSync(folder, { recursive: true, force: true });
}, 180_000);

const ordered = async (
  amount: number,
  ...types: readonly string[]
): Promise<{ handle: Handle; history: unknown }> => {
  const handle = await bench.begin('order', { amount });
  for (const type of types)
    await handle.executeUpdate('send', { args: [{ type, sku: 'pen' }] }).catch(() => undefined);
  return { handle, history: await handle.fetchHistory() };
};

type Handle = Awaited<ReturnType<Bench['begin']>>;

describe('two runs', () => {
  test('part by the event, by the state, by the context, or not at all', async () => {
    const plain = await ordered(40, 'add');
    const same = await ordered(40, 'add');
    const cancelled = await ordered(40, 'add', 'cancel');
    const other = await ordered(40, 'cancel');
    const dear = await ordered(41, 'add');
    const diff = async (a: { history: unknown }, b: { history: unknown }): Promise<unknown[]> => {
      const { common, by } = await diffRuns(a.history, b.history, order, { ignore: ['at'] });
      return [common, by];
    };
    expect(await diff(plain, same)).toEqual([2, null]);
    expect(await diff(plain, cancelled)).toEqual([2, 'length']);
    expect(await diff(plain, other)).toEqual([1, 'event']);
    expect(await diff(plain, dear)).toEqual([0, 'context']);
    const { context } = await diffRuns(plain.history, dear.history, order, { ignore: ['at'] });
    expect(context).toEqual([{ path: 'amount', before: 40, after: 41 }]);
  });
});

describe('an inspector', () => {
  test('gets the events of a recorded history in the shapes of Stately’s protocol', async () => {
    const { history, handle } = await ordered(40, 'add', 'cancel');
    const events: StatelyInspectionEvent[] = [];
    await inspectHistory(history, order, { send: (event) => events.push(event) });
    expect(events.map(({ type }) => type)).toEqual([
      '@xstate.actor',
      '@xstate.event',
      '@xstate.snapshot',
      '@xstate.event',
      '@xstate.snapshot',
      '@xstate.event',
      '@xstate.snapshot',
    ]);
    for (const event of events) {
      expect(event).toMatchObject({
        rootId: expect.any(String) as string,
        sessionId: expect.any(String) as string,
        createdAt: expect.stringMatching(/^\d{13}$/) as string,
        id: expect.any(String) as string,
        _version: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
      });
      expect(JSON.parse(JSON.stringify(event))).toEqual(event);
    }
    const [actor] = events;
    if (actor?.type !== '@xstate.actor') throw new Error('the first event is the actor’s');
    expect(actor.name).toBe('order');
    // The definition is one that a machine can be made of again.
    const again = createMachine(JSON.parse(actor.definition ?? '') as never);
    expect(Object.keys(again.states)).toEqual(Object.keys(orderMachine.states));
    expect(events.at(-1)).toMatchObject({
      event: { type: 'cancel' },
      snapshot: { value: 'cancelled', status: 'done' },
    });
    await handle.result();
  });

  test('that is an observer as createActor takes it gets XState’s own events', async () => {
    const { history } = await ordered(40, 'cancel');
    const events: InspectionEvent[] = [];
    await inspectHistory(history, order, { next: (event: InspectionEvent) => events.push(event) });
    expect(events.map(({ type }) => type)).toContain('@xstate.snapshot');
    const [actor] = events;
    expect(actor?.actorRef.sessionId).toBe(actor?.rootId);
  });

  test('follows a running actor to its end', async () => {
    const { handle } = await ordered(40, 'add');
    const values: unknown[] = [];
    const { ended } = inspectActor(
      handle,
      order,
      {
        adapter: {
          send: (event) =>
            event.type === '@xstate.snapshot' && values.push((event.snapshot as { value: unknown }).value),
        },
      },
      { interval: 20 },
    );
    await until('the beginning', () => values.length === 2);
    await handle.executeUpdate('send', { args: [{ type: 'pay' }] });
    await until('the child', () => values.at(-1) === 'shipping');
    await handle.executeUpdate('send', { args: [{ type: 'ship' }] });
    await handle.result();
    await ended;
    expect(values).toEqual(['open', 'open', 'charging', 'shipping', 'shipping', 'shipped']);
  });
});

describe('the checker', () => {
  test('tells what no history has visited', async () => {
    const { history } = await ordered(40, 'add', 'cancel');
    const { coverage } = await checkHistories([{ name: 'one', history }], { order, parcel });
    const [orders, parcels] = coverage;
    expect(orders).toMatchObject({ machine: 'order', states: { visited: 2, all: 6 } });
    expect(orders?.states.unvisited).toEqual([
      'order.charging',
      'order.shipping',
      'order.shipped',
      'order.declined',
    ]);
    expect(orders?.transitions.unvisited).toContain('order.open --pay [isPayable]--> order.charging');
    expect(orders?.transitions.unvisited).not.toContain('order.open --cancel--> order.cancelled');
    expect(parcels).toMatchObject({ machine: 'parcel', states: { visited: 0, all: 2 } });
  });

  test('finds commands that would differ', async () => {
    const { history } = await ordered(40, 'pay');
    const changed = { machine: orderMachine, actors: {} };
    const { runs } = await checkHistories([{ name: 'one', history }], changed);
    expect(runs[0]?.verdict).toBe('fits');
    // The bodies of guards are no part of a machine's identity.
    const stricter = orderMachine.provide({ guards: { isPayable: () => false } });
    const report = await checkHistories([{ name: 'one', history }], { machine: stricter, actors: {} });
    expect(report.runs[0]).toMatchObject({ verdict: 'commands differ', breaks: true });
    expect(report.runs[0]?.reason).toMatch(/the history starts .*, the machine does not/);
  });

  test('runs as a command on built modules, and ends with 1 when a run would break', async () => {
    const root = path.resolve(__dirname, '../../..');
    const inRoot = mkdtempSync(path.join(root, '.tmp/check-'));
    try {
      const command = path.join(inRoot, 'main.mjs');
      const module = path.join(inRoot, 'workflows.mjs');
      const changed = path.join(inRoot, 'changed.mjs');
      for (const [entry, to] of [
        [path.join(root, 'statechart/client/check/main.ts'), command],
        [path.join(__dirname, 'machines.ts'), module],
        [path.join(__dirname, 'approval-v2.ts'), changed],
      ] as const) {
        buildSync({
          ...bundling(),
          entryPoints: [entry],
          outfile: to,
          platform: 'node',
          format: 'esm',
          packages: 'external',
          logLevel: 'error',
        });
      }
      const { handle } = await ordered(40, 'add');
      const file = path.join(folder, 'open.json');
      writeFileSync(file, historyToJSON(await handle.fetchHistory()));
      const check = (...args: string[]): Promise<{ code: unknown; out: string; err: string }> =>
        new Promise((resolve) => {
          execFile(process.execPath, [command, ...args], (error, out, err) =>
            resolve({ code: error?.code ?? 0, out, err }),
          );
        });
      const fits = await check('check', module, file);
      expect([fits.code, fits.err]).toEqual([0, '']);
      expect(fits.out).toMatch(/open\.json +order +running +open +fits/);
      expect(fits.out).toContain('order: 1 of 6 states');
      expect(fits.out).toContain('No open run breaks.');
      const breaks = await check('check', changed, file);
      expect(breaks.code).toBe(1);
      expect(breaks.out).toContain('NO WORKFLOW');
      expect((await check('check', module)).code).toBe(2);
      expect((await check('check', module, path.join(folder, 'absent.json'))).err).toContain('absent.json');
    } finally {
      rmSync(inRoot, { recursive: true, force: true });
    }
  });
});
