import { type ActionRequest, AGENT_TOOLSET, type ActionOutcome, SandboxError } from '@steadyhand/contracts';
import { isReadOnly } from '../../tools/toolset/toolset.ts';
import { SerialQueue } from '../../serial-queue.ts';
import { type Ledger, digestOf } from '../ledger/ledger.ts';
import type { ActionTimes } from './action-times.ts';

const READ_ONLY: ReadonlySet<string> = new Set([
  'screenshot',
  'cursor_position',
  'zoom',
  'wait',
  'clipboard_read',
]);

/**
 * Whether an action only reads. It may be repeated after a crash, so it needs no intent; its outcome is recorded all
 * the same, so that a retry sees what the first call saw.
 */
function isPureRead({ tool, input }: Pick<ActionRequest, 'tool' | 'input'>): boolean {
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Readonly<
    Record<string, unknown>
  >;
  if (tool.type.startsWith('computer_')) {
    const action = tool.type.startsWith('computer_toolset_') ? tool.name : fields['action'];
    return READ_ONLY.has(String(action));
  }
  if (tool.type === AGENT_TOOLSET) return isReadOnly(tool.name);
  return tool.type.startsWith('text_editor_') && fields['command'] === 'view';
}

const NOT_BEGUN: ActionOutcome = {
  status: 'interrupted',
  is_error: true,
  content: 'interrupted before it began; nothing was done',
};

/** Performs actions. `prepare` may fail without harm, because nothing has been done by then. */
export interface Performer {
  prepare(request: ActionRequest): Promise<void>;
  /** Never rejects: every result of an action, also a failure, is an outcome. */
  perform(request: ActionRequest, signal: AbortSignal): Promise<ActionOutcome>;
}

interface Pending {
  readonly input: string;
  readonly outcome: Promise<ActionOutcome>;
  readonly stop: AbortController;
}

/** How many keys of early interrupts are kept: their actions come a moment later or never. */
const MAX_EARLY = 1_000;

/** Performs each keyed action at most once, one at a time, in the order of arrival. */
export class ActionQueue {
  readonly #ledger: Ledger;
  readonly #performer: Performer;
  readonly #pending = new Map<string, Pending>();
  /** Keys that were interrupted before they came, newest last. */
  readonly #early = new Set<string>();
  readonly #queue = new SerialQueue();
  #held = false;

  constructor(ledger: Ledger, performer: Performer) {
    this.#ledger = ledger;
    this.#performer = performer;
  }

  /** The keys of the actions that run or wait, oldest first. */
  get pending(): readonly string[] {
    return [...this.#pending.keys()];
  }

  /**
   * The outcome under this key: recorded, of the action that runs, or of a first attempt made now.
   * @throws SandboxError `key_reused`, `conflict`, `storage_full`, or whatever `prepare` throws; nothing was done then
   */
  perform(request: ActionRequest, times?: ActionTimes): Promise<ActionOutcome> {
    const input = digestOf(request);
    const pending = this.#pending.get(request.key);
    if (pending !== undefined) {
      if (request.interrupted === true) pending.stop.abort();
      return pending.input === input ? pending.outcome : Promise.reject(keyReused(request.key));
    }
    const stop = new AbortController();
    if (request.interrupted === true || this.#early.delete(request.key)) stop.abort();
    const outcome = this.#queue.run(() => this.#attempt(request, input, stop.signal, times));
    this.#pending.set(request.key, { input, outcome, stop });
    const ended = (): unknown => this.#pending.delete(request.key);
    outcome.then(ended, ended);
    return outcome;
  }

  /** Does some work between two actions: earlier ones have ended and later ones wait. */
  between<T>(work: () => Promise<T>): Promise<T> {
    return this.#queue.run(work);
  }

  /** Stops the action that runs or waits under this key. False when there is none; a later one is then not begun. */
  interrupt(key: string): boolean {
    const pending = this.#pending.get(key);
    pending?.stop.abort();
    if (pending === undefined) this.#early.add(key);
    const [oldest] = this.#early;
    if (this.#early.size > MAX_EARLY && oldest !== undefined) this.#early.delete(oldest);
    return pending !== undefined;
  }

  /** Lets no action begin, and resolves when the running one has ended. Recorded outcomes are still returned. */
  async hold(): Promise<void> {
    this.#held = true;
    await this.#queue.idle();
  }

  release(): void {
    this.#held = false;
  }

  /** Whether an action under this key was begun or waits. */
  async knows(key: string): Promise<boolean> {
    return this.#pending.has(key) || (await this.#ledger.find(key)) !== null;
  }

  /** Resolves when nothing runs or waits. */
  async idle(): Promise<void> {
    await this.#queue.idle();
  }

  async #attempt(
    request: ActionRequest,
    input: string,
    signal: AbortSignal,
    times?: ActionTimes,
  ): Promise<ActionOutcome> {
    const { key } = request;
    times?.passed('wait');
    const known = await this.#ledger.find(key);
    if (known !== null) {
      if (known.input !== input) throw keyReused(key);
      if (known.outcome !== null) return known.outcome;
      const reason = 'the daemon stopped after the action had begun and before its outcome was written';
      return this.#conclude(key, input, { status: 'unknown', reason });
    }
    if (signal.aborted) return this.#conclude(key, input, NOT_BEGUN);
    if (this.#held)
      throw new SandboxError(
        'conflict',
        'a person has taken over this computer; no action is performed until it is handed back',
      );
    await Promise.race([this.#performer.prepare(request), aborted(signal)]);
    if (signal.aborted) return this.#conclude(key, input, NOT_BEGUN);
    if (!isPureRead(request)) await this.#ledger.intend(key, input);
    times?.passed('prepare');
    const outcome = await this.#performer.perform(request, signal);
    times?.passed('act');
    return this.#conclude(key, input, outcome);
  }

  async #conclude(key: string, input: string, outcome: ActionOutcome): Promise<ActionOutcome> {
    await this.#ledger.conclude(key, input, outcome);
    return outcome;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

function keyReused(key: string): SandboxError {
  return new SandboxError('key_reused', `key ${JSON.stringify(key)} was already used for another action`);
}
