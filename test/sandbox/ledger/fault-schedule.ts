import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ActionOutcome,
  type ActionRequest,
  isSandboxError,
  type ResultContent,
} from '@steadyhand/contracts';
import { ActionQueue } from '../../../sandbox/daemon/actions/action-queue.ts';
import { Ledger } from '../../../sandbox/daemon/ledger/ledger.ts';
import { layoutOf } from '../../../sandbox/layout.ts';
import { FaultDisk, type Fault, type FaultKind } from './fault-disk.ts';

const STEPS = 10;
const KEYS = 7;
const KINDS: readonly FaultKind[] = ['kill', 'kill', 'torn', 'power', 'full', 'io'];
/** So small that a schedule compacts several times. */
const LIMITS = { logBytes: 1_200, blobBytes: 2_000 };
const OLD = '<system>this was done long ago and not again; what came of it is no longer kept</system>';
const NO_PICTURE = '<system>the picture could not be kept: the disk is full</system>';

/** What happened over some schedules. */
export interface Tally {
  deaths: number;
  unknown: number;
  refused: number;
  old: number;
}

/** A small generator with a seed (mulberry32), so that a failing schedule can be run again. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * One life of a sandbox: calls under a few keys, by one caller or two, some of whom go away, and faults at any operation of
 * the file system or around the effect itself. Throws when an action is done twice, when an answer is taken back, or when an
 * outcome is called unknown that is not.
 */
export class FaultSchedule {
  readonly #random: () => number;
  readonly #folder: string;
  readonly #tally: Tally;
  /** How often each key's effect has happened. */
  readonly #effects = new Map<string, number>();
  readonly #answers = new Map<string, ActionOutcome>();
  /** Keys of which an attempt was cut short, or whose outcome could not be written. */
  readonly #cut = new Set<string>();
  readonly #asked = new Set<string>();
  readonly #underWay = new Set<string>();
  #disk: FaultDisk;
  #queue: ActionQueue | null = null;
  #ledger: Ledger | null = null;

  constructor(seed: number, parent: string, tally: Tally) {
    this.#random = generator(seed);
    this.#folder = mkdtempSync(join(parent, 'steadyhand-faults-'));
    this.#tally = tally;
    this.#disk = new FaultDisk(this.#random);
  }

  async run(): Promise<void> {
    for (let step = 0; step < STEPS; step += 1) {
      await this.#start(this.#random() < 0.15 ? this.#fault() : null);
      await this.#step();
    }
    await this.#start(null);
    // What callers who went away have asked for is finished first, or dies.
    const idle = this.#queue?.idle();
    if ((await Promise.race([idle, this.#disk.died])) === 'died') await this.#bury();
    await this.#start(null);
    this.#disk.arm(null);
    if (this.#failure !== null) throw this.#failure;
    for (const key of this.#asked) {
      const outcome = await this.#queue!.perform(request(key));
      this.#check(key, outcome);
      if (outcome.status === 'unknown') this.#tally.unknown += 1;
    }
    await this.#ledger!.close();
    await this.#disk.bury();
    rmSync(this.#folder, { recursive: true });
  }

  /** Starts a daemon where none is, again when it dies over it. */
  async #start(fault: Fault | null): Promise<void> {
    if (this.#queue !== null) return;
    this.#disk.arm(fault);
    const options = { disk: this.#disk, limits: LIMITS, now: () => new Date(this.#random() * 4e12) };
    const opening = Ledger.open(layoutOf(this.#folder), options);
    const opened = await Promise.race([opening.catch((error: unknown) => ({ error })), this.#disk.died]);
    if (opened === 'died' || 'error' in opened) {
      assert(
        opened === 'died' || this.#disk.failed,
        `the ledger was not opened: ${String(opened !== 'died' && opened.error)}`,
      );
      await this.#bury();
      return this.#start(null);
    }
    this.#ledger = opened;
    this.#queue = new ActionQueue(opened, {
      prepare: () => Promise.resolve(),
      perform: async ({ key }) => {
        await this.#disk.point();
        if (!isLook(key)) this.#effects.set(key, (this.#effects.get(key) ?? 0) + 1);
        await this.#disk.point();
        return outcomeOf(key);
      },
    });
  }

  async #step(): Promise<void> {
    const key = this.#key();
    const queue = this.#queue!;
    this.#disk.arm(this.#random() < 0.5 ? this.#fault() : null);
    this.#asked.add(key);
    const calls = [this.#call(queue, key)];
    if (this.#random() < 0.3) calls.push(this.#call(queue, key));
    if (this.#random() < 0.2) calls.push(this.#other(queue, key));
    if (this.#random() < 0.3) {
      const another = this.#key();
      this.#asked.add(another);
      calls.push(this.#call(queue, another));
    }
    // A caller that goes away: its action goes on beside the next step's.
    const left = this.#random() < 0.15;
    const ended = left
      ? 'answered'
      : await Promise.race([Promise.all(calls).then(() => 'answered'), this.#disk.died]);
    if (left)
      for (const call of calls) call.catch((error: unknown) => (this.#failure ??= new Error(String(error))));
    if (this.#failure !== null) throw this.#failure;
    if (ended === 'died' || (!left && this.#random() < 0.15)) {
      await this.#bury();
      this.#tally.deaths += 1;
    }
  }
  #failure: Error | null = null;

  async #call(queue: ActionQueue, key: string): Promise<void> {
    const disk = this.#disk;
    this.#underWay.add(key);
    const before = this.#effects.get(key) ?? 0;
    try {
      const outcome = await queue.perform(request(key));
      // Its outcome may be in memory alone, or without its picture.
      if (disk.failed) this.#cut.add(key);
      this.#check(key, outcome);
      this.#underWay.delete(key);
      if (!this.#answers.has(key)) this.#answers.set(key, outcome);
    } catch (error) {
      if (!isSandboxError(error, 'storage_full')) throw error;
      this.#tally.refused += 1;
      this.#underWay.delete(key);
      assert(before === (this.#effects.get(key) ?? 0), `${key} was refused and done`);
    }
  }

  /** Another action under a key that is taken. */
  async #other(queue: ActionQueue, key: string): Promise<void> {
    const other = { ...request(key), input: { command: 'another' } };
    const refused = await queue.perform(other).then(
      () => false,
      (error: unknown) => isSandboxError(error, 'key_reused'),
    );
    assert(refused, `${key} was taken for another action`);
  }

  #check(key: string, outcome: ActionOutcome): void {
    const effects = this.#effects.get(key) ?? 0;
    assert(effects <= 1, `${key} was done ${effects} times`);
    const answered = this.#answers.get(key);
    if (outcome.status === 'unknown') {
      assert(this.#cut.has(key), `${key} is called unknown, and nothing has cut it short`);
      return;
    }
    assert(isLook(key) || effects === 1, `${key} is called done and was not`);
    if (outcome.content === OLD) {
      this.#tally.old += 1;
      return;
    }
    const expected = answered === undefined || answered.status === 'unknown' ? outcomeOf(key) : answered;
    const same =
      text(outcome) === text(expected) || (this.#cut.has(key) && text(outcome) === withoutPicture(expected));
    assert(same, `${key} was answered ${text(expected)} and then ${text(outcome)}`);
    assert(answered?.status !== 'unknown' || isLook(key), `${key} was called unknown and then done`);
  }

  async #bury(): Promise<void> {
    await this.#disk.bury();
    for (const key of this.#underWay) this.#cut.add(key);
    this.#underWay.clear();
    this.#disk = new FaultDisk(this.#random);
    this.#queue = null;
    this.#ledger = null;
  }

  #fault(): Fault {
    return {
      kind: KINDS[Math.floor(this.#random() * KINDS.length)]!,
      after: Math.floor(this.#random() ** 2 * 40),
    };
  }

  #key(): string {
    return `k${Math.floor(this.#random() * KEYS)}`;
  }
}

/** Every seventh key only looks; every third has a picture. */
function isLook(key: string): boolean {
  return key === 'k6';
}

function request(key: string): ActionRequest {
  if (isLook(key))
    return { key, tool: { type: 'computer_20241022', name: 'computer' }, input: { action: 'screenshot' } };
  return { key, tool: { type: 'bash_20241022', name: 'bash' }, input: { command: key } };
}

function outcomeOf(key: string): ActionOutcome {
  const data = Buffer.from(key.repeat(200)).toString('base64');
  const picture: ResultContent = { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
  const content: ResultContent[] = [{ type: 'text', text: `${key} done` }];
  return {
    status: 'done',
    is_error: false,
    content: Number(key[1]) % 3 === 0 ? [...content, picture] : content,
  };
}

function withoutPicture(outcome: ActionOutcome): string {
  if (outcome.status === 'unknown' || typeof outcome.content === 'string') return text(outcome);
  const content = outcome.content.map((block) =>
    block.type === 'text' ? block : ({ type: 'text', text: NO_PICTURE } as const),
  );
  return text({ ...outcome, content });
}

function text(outcome: ActionOutcome): string {
  return JSON.stringify(outcome);
}

function assert(condition: boolean, message: string): void {
  if (!condition) throw new Error(message);
}
