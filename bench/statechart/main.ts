import { readFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { WorkflowHandle } from '@temporalio/client';
import type { EngineKind } from '../../engine/index.ts';
import { Host } from './host.ts';
import { counterMachine, hopperMachine, ringMachine } from './machines.ts';
import { manyEvents } from './many-events.ts';
import { quantile, round3, writeResult } from '../lib/figures.ts';
import { alternate, compare, take, type Taken } from './measure.ts';
import { againstMachine, againstPlain } from './pure.ts';

/**
 * What a machine costs beside the same written by hand, and the interpreter beside plain XState. Engine, worker and client are
 * one process; both sides take turns, and figures are medians.
 */
const { values } = parseArgs({
  options: {
    /** Of pure, step, update, states, events. */
    parts: { type: 'string', default: 'pure,step,update,states,events' },
    rounds: { type: 'string', default: '9' },
    steps: { type: 'string', default: '50' },
    updates: { type: 'string', default: '300' },
    'pure-events': { type: 'string', default: '5000' },
    /** 200000 is the full form. */
    events: { type: 'string', default: '10000' },
    engine: { type: 'string', default: 'embedded' },
  },
});
const rounds = Number(values.rounds);
const parts = new Set(values.parts.split(','));
const pure = { rounds, events: Number(values['pure-events']) };
const goals = { step: 1.1, interpreter: 3, update: 1.05, states: 1.5 };
const figures: Record<string, unknown> = {};

if (parts.has('pure')) {
  figures['interpreter'] = {
    unit: 'microseconds of the processor an event; other: actor.send of plain XState',
    assign: await againstPlain(counterMachine, { type: 'add', by: 1 }, pure),
    invokeAndAlways: await againstPlain(hopperMachine, { type: 'go' }, pure),
    states300Against10: await againstMachine(ringMachine(300), ringMachine(10), { type: 'next' }, pure),
  };
  show('interpreter');
}
if (['step', 'update', 'states', 'events'].some((part) => parts.has(part))) {
  const host = await Host.open(values.engine as EngineKind);
  try {
    if (parts.has('step')) await measured('step', () => steps(host, Number(values.steps)));
    if (parts.has('update')) {
      const sides = { ours: 'machineCounter', other: 'handCounter', event: { type: 'add', by: 1 } };
      await measured('update', () => updates(host, sides));
    }
    if (parts.has('states')) {
      const sides = { ours: 'ring300', other: 'ring10', event: { type: 'next' } };
      await measured('states', () => updates(host, sides));
    }
    if (parts.has('events')) await measured('events', () => manyEvents(host, Number(values.events)));
  } finally {
    await host.close();
  }
}
const machine = { node: process.version, cpus: cpus().length, load: round3(loadavg()[0] ?? 0) };
writeResult('statechart', { ...earlier(), machine, goals, ...figures });

/** The loop of one activity that does nothing, as a machine beside a function. */
async function steps(host: Host, count: number): Promise<unknown> {
  const run = (type: string) => (): Promise<Taken> =>
    take(async () => {
      const handle = await host.start(type, { steps: count });
      await handle.result();
    });
  const { ours, other } = await alternate(rounds, run('machineLoop'), run('handLoop'));
  const each = (all: readonly Taken[], of: keyof Taken): number[] => all.map((taken) => taken[of] / count);
  return {
    steps: count,
    rounds,
    msOfTheProcessorAStep: compare(each(ours, 'cpu'), each(other, 'cpu')),
    msAStep: compare(each(ours, 'wall'), each(other, 'wall')),
  };
}

interface Sides {
  readonly ours: string;
  readonly other: string;
  readonly event: object;
}

/** Updates to two workflows, one here and one there, so that both meet the same load. */
async function updates(host: Host, sides: Sides): Promise<unknown> {
  const count = Number(values.updates);
  const handles = { ours: await host.start(sides.ours), other: await host.start(sides.other) };
  const update = (handle: WorkflowHandle) => (): Promise<Taken> =>
    take(() => handle.executeUpdate('send', { args: [sides.event] }));
  const { ours, other } = await alternate(count, update(handles.ours), update(handles.other));
  const p95 = (all: readonly Taken[]): number =>
    round3(
      quantile(
        all.map(({ wall }) => wall),
        0.95,
      ),
    );
  await Promise.all([handles.ours.terminate(), handles.other.terminate()]);
  return {
    updates: count,
    msP50: compare(
      ours.map(({ wall }) => wall),
      other.map(({ wall }) => wall),
    ),
    msP95: { ours: p95(ours), other: p95(other) },
    msOfTheProcessorP50: compare(
      ours.map(({ cpu }) => cpu),
      other.map(({ cpu }) => cpu),
    ),
  };
}

async function measured(name: string, work: () => Promise<unknown>): Promise<void> {
  const load = round3(loadavg()[0] ?? 0);
  figures[name] = { load, ...((await work()) as object) };
  show(name);
}

function show(name: string): void {
  console.log(name, JSON.stringify(figures[name], null, 2));
}

/** Parts that are not measured now keep their figures. */
function earlier(): Record<string, unknown> {
  try {
    return JSON.parse(readFileSync('bench/results/statechart.json', 'utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}
