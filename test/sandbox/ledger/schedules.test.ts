import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActionOutcome, ActionRequest } from '@steadyhand/contracts';
import { ActionQueue, type Performer } from '../../../sandbox/daemon/actions/action-queue.ts';
import { Ledger } from '../../../sandbox/daemon/ledger/ledger.ts';
import { layoutOf } from '../../../sandbox/layout.ts';
import { isThorough } from '../../support/sampled.ts';

/** What is tested is the order of writes, not the disk. */
const MEMORY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const SCHEDULES = isThorough ? 240 : 40;
const STEPS = 14;
const KEYS = 5;

/** A small generator with a seed (mulberry32), so that a failing schedule can be run again. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Fault =
  | 'none'
  | 'die before acting'
  | 'die after acting'
  | 'die with a torn outcome'
  | 'die after the outcome';
const FAULTS: readonly Fault[] = [
  'none',
  'none',
  'die before acting',
  'die after acting',
  'die with a torn outcome',
  'die after the outcome',
];

/** The world outside: how often each key's effect has happened. */
class World {
  readonly effects = new Map<string, number>();
  fault: Fault = 'none';
  readonly performer: Performer = {
    prepare: () => Promise.resolve(),
    perform: ({ key }) => {
      if (this.fault === 'die before acting') return new Promise(() => undefined);
      this.effects.set(key, (this.effects.get(key) ?? 0) + 1);
      if (this.fault === 'die after acting') return new Promise(() => undefined);
      return Promise.resolve({ status: 'done', is_error: false, content: `${key} done` });
    },
  };
}

function request(key: string): ActionRequest {
  return { key, tool: { type: 'bash_20241022', name: 'bash' }, input: { command: key } };
}

async function runSchedule(seed: number): Promise<string> {
  const random = generator(seed);
  const world = new World();
  const folders: string[] = [];
  /** What a caller was told, which must stay true for ever. */
  const answers = new Map<string, ActionOutcome>();
  const attempted = new Map<string, number>();

  const open = async (from?: string): Promise<{ ledger: Ledger; queue: ActionQueue; file: string }> => {
    const folder = mkdtempSync(join(MEMORY, 'steadyhand-schedule-'));
    folders.push(folder);
    const layout = layoutOf(folder);
    if (from !== undefined) copyFileSync(from, layout.ledger);
    const ledger = await Ledger.open(layout);
    return { ledger, queue: new ActionQueue(ledger, world.performer), file: layout.ledger };
  };

  let daemon = await open();
  for (let step = 0; step < STEPS; step += 1) {
    const key = `k${Math.floor(random() * KEYS)}`;
    world.fault = FAULTS[Math.floor(random() * FAULTS.length)]!;
    const dies = world.fault !== 'none';
    const before = readFileSync(daemon.file).length;
    const callers = 1 + Math.floor(random() * 2);
    const acting = dies && world.fault.endsWith('acting') && !answers.has(key);
    const outcomes = Promise.all(Array.from({ length: callers }, () => daemon.queue.perform(request(key))));
    attempted.set(key, (attempted.get(key) ?? 0) + 1);
    const first = acting ? await Promise.race([outcomes, settled(daemon, key)]) : await outcomes;
    if (first !== null) {
      const known = answers.get(key);
      assertSame(first, known ?? first[0]!);
      // A torn outcome was never answered: the daemon died while writing it.
      if (world.fault !== 'die with a torn outcome' || known !== undefined) answers.set(key, first[0]!);
    }
    if (dies) {
      const size = readFileSync(daemon.file).length;
      if (world.fault === 'die with a torn outcome' && first !== null && !answers.has(key)) {
        const lastStart = readFileSync(daemon.file).lastIndexOf('\n', size - 2) + 1;
        if (lastStart >= before) {
          truncateSync(daemon.file, lastStart + Math.floor(random() * (size - lastStart)));
        }
      }
      const { file, ledger } = daemon;
      daemon = await open(file);
      await ledger.close();
    }
  }
  for (const key of attempted.keys()) {
    world.fault = 'none';
    const outcome = await daemon.queue.perform(request(key));
    const effects = world.effects.get(key) ?? 0;
    expect(effects).toBeLessThanOrEqual(1);
    expect(outcome.status !== 'done' || effects === 1).toBe(true);
    expect(outcome).toEqual(answers.get(key) ?? outcome);
    expect(['done', 'unknown']).toContain(outcome.status);
  }
  await daemon.ledger.close();
  for (const folder of folders) rmSync(folder, { recursive: true });
  return `schedule ${seed} holds`;
}

function assertSame(outcomes: readonly ActionOutcome[], expected: ActionOutcome): void {
  expect(outcomes).toEqual(outcomes.map(() => expected));
}

/** null once the action has come to its fault: its intent is written and nothing more happens. */
async function settled(daemon: { readonly ledger: Ledger }, key: string): Promise<null> {
  for (;;) {
    const found = await daemon.ledger.find(key);
    if (found !== null && found.outcome === null) {
      await new Promise((resolve) => setImmediate(resolve));
      return null;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const opened: Ledger[] = [];

async function ledgerIn(folder: string): Promise<Ledger> {
  const ledger = await Ledger.open(layoutOf(folder));
  opened.push(ledger);
  return ledger;
}

async function untilSo(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

describe('no action is performed twice and no answer is taken back', () => {
  afterEach(async () => {
    for (const ledger of opened.splice(0)) await ledger.close();
  });

  it.each(Array.from({ length: 8 }, (_, index) => index))(
    `over ${SCHEDULES / 8} schedules of calls and deaths, part %i`,
    async (part) => {
      for (let index = 0; index < SCHEDULES / 8; index += 1) {
        const seed = part * 1_000_003 + index;
        await expect(runSchedule(seed)).resolves.toBe(`schedule ${seed} holds`);
      }
    },
  );

  it('refuses a key that stands for another input, whether recorded or under way', async () => {
    const folder = mkdtempSync(join(MEMORY, 'steadyhand-schedule-'));
    const world = new World();
    const queue = new ActionQueue(await ledgerIn(folder), world.performer);
    const other = { ...request('k'), input: { command: 'other' } };
    const first = queue.perform(request('k'));
    await expect(queue.perform(other)).rejects.toMatchObject({ code: 'key_reused' });
    await first;
    await expect(queue.perform(other)).rejects.toMatchObject({ code: 'key_reused' });
    expect(await queue.perform({ ...request('k') })).toEqual(await first);
    expect(world.effects.get('k')).toBe(1);
    rmSync(folder, { recursive: true });
  });

  it('performs in the order of arrival, one at a time, and interrupts what waits', async () => {
    const folder = mkdtempSync(join(MEMORY, 'steadyhand-schedule-'));
    const order: string[] = [];
    let running = 0;
    const queue = new ActionQueue(await ledgerIn(folder), {
      prepare: () => Promise.resolve(),
      perform: async ({ key }, signal) => {
        running += 1;
        expect(running).toBe(1);
        order.push(key);
        if (key === 'a') await new Promise((resolve) => signal.addEventListener('abort', resolve));
        running -= 1;
        return { status: signal.aborted ? 'interrupted' : 'done', is_error: false, content: key };
      },
    });
    const all = ['a', 'b', 'c', 'd'].map((key) => queue.perform(request(key)));
    expect(queue.pending).toEqual(['a', 'b', 'c', 'd']);
    expect(queue.interrupt('c')).toBe(true);
    expect(queue.interrupt('nobody')).toBe(false);
    await untilSo(() => order.length > 0);
    queue.interrupt('a');
    const outcomes = await Promise.all(all);
    expect(outcomes.map(({ status }) => status)).toEqual(['interrupted', 'done', 'interrupted', 'done']);
    expect(order).toEqual(['a', 'b', 'd']);
    expect(await queue.perform(request('c'))).toEqual(outcomes[2]);
    rmSync(folder, { recursive: true });
  });

  it('keeps pictures beside the ledger and repeats a look that a crash cut short', async () => {
    const folder = mkdtempSync(join(MEMORY, 'steadyhand-schedule-'));
    const data = Buffer.from('not really a picture').toString('base64');
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } } as const;
    let looks = 0;
    const performer = (hang: boolean): Performer => ({
      prepare: () => Promise.resolve(),
      perform: () => {
        looks += 1;
        return hang
          ? new Promise(() => undefined)
          : Promise.resolve({ status: 'done', is_error: false, content: [image] });
      },
    });
    const look: ActionRequest = {
      key: 'look',
      tool: { type: 'computer_20241022', name: 'computer' },
      input: { action: 'screenshot' },
    };
    void new ActionQueue(await ledgerIn(folder), performer(true)).perform(look);
    await untilSo(() => looks > 0);
    const queue = new ActionQueue(await ledgerIn(folder), performer(false));
    const outcome = { status: 'done', is_error: false, content: [image] };
    expect(await queue.perform(look)).toEqual(outcome);
    const later = new ActionQueue(await ledgerIn(folder), performer(true));
    expect(await later.perform(look)).toEqual(outcome);
    expect(looks).toBe(2);
    expect(readFileSync(layoutOf(folder).ledger, 'utf8')).not.toContain(data);
    rmSync(folder, { recursive: true });
  });
});
