import { appendFileSync, rmSync } from 'node:fs';
import {
  type PersonInput,
  SandboxError,
  type Takeover,
  type TakeoverEnd,
  type TakeoverPage,
  type TakeoverStart,
} from '@steadyhand/contracts';
import { isRecordOf, isText, readRecord, readText, unlessDamaged } from '../../record-file.ts';
import { writeWholeSync } from '../../whole-file.ts';
import type { ActionQueue } from '../actions/action-queue.ts';

/** The most inputs of one takeover. It is more than a person makes in an hour. */
const MAX_INPUTS = 200_000;
/** The number of inputs in one page. */
const PAGE = 500;

/**
 * Knows who has mouse and keyboard. There is at most one takeover at a time. It outlives this process, so that after a
 * daemon was killed the agent cannot act while a person does. An input is recorded before it is passed on.
 */
export class Takeovers {
  readonly #files: { readonly state: string; readonly inputs: string };
  readonly #actions: Pick<ActionQueue, 'hold' | 'release'>;
  readonly #now: () => number;
  #takeover: Takeover | null;
  #inputs: PersonInput[] = [];
  /** Resolves when the action that ran when the takeover began has ended. */
  #held: Promise<void> = Promise.resolve();
  #controllers = 0;
  #disconnectTimer: NodeJS.Timeout | undefined;
  #expiryTimer: NodeJS.Timeout | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(options: {
    /** The paths of two files in the sandbox's folder. */
    readonly files: { readonly state: string; readonly inputs: string };
    /** Held while a person has mouse and keyboard. */
    readonly actions: Pick<ActionQueue, 'hold' | 'release'>;
    readonly now?: () => number;
  }) {
    this.#files = options.files;
    this.#actions = options.actions;
    this.#now = options.now ?? Date.now;
    this.#takeover = readState(this.#files.state);
    if (this.#takeover === null) return;
    this.#inputs = readInputs(this.#files.inputs);
    if (this.#takeover.ended !== null) return;
    this.#held = this.#actions.hold();
    this.#watch(this.#takeover);
  }

  get current(): Takeover | null {
    return this.#takeover;
  }

  /** Whether the person of this takeover may act. */
  holds(id: string | null): boolean {
    return id !== null && this.#takeover?.id === id && this.#takeover.ended === null;
  }

  /**
   * Takes mouse and keyboard once the running action has ended. The same id again returns that takeover.
   * @throws SandboxError `conflict` while somebody else has them
   */
  async start(request: TakeoverStart): Promise<Takeover> {
    const { id, record, disconnect_after_s, expires_after_s } = request;
    if (this.#takeover?.id === id) {
      await this.#held;
      return this.#takeover;
    }
    if (this.#takeover !== null && this.#takeover.ended === null)
      throw new SandboxError('conflict', 'another person has taken over this computer');
    const started = this.#now();
    const takeover: Takeover = {
      id,
      record,
      started_at: new Date(started).toISOString(),
      expires_at: new Date(started + expires_after_s * 1000).toISOString(),
      disconnect_after_s,
      ended: null,
    };
    rmSync(this.#files.inputs, { force: true });
    this.#inputs = [];
    // It is saved before it takes effect: on a full disk nobody has taken over, and somebody may later.
    this.#save(takeover);
    this.#takeover = takeover;
    this.#held = this.#actions.hold();
    await this.#held;
    if (this.#takeover !== takeover) return this.#takeover;
    this.#watch(takeover);
    this.#notify();
    return takeover;
  }

  /** Ends a takeover; one that has ended is returned unchanged. */
  end(id: string, reason: TakeoverEnd['reason']): Takeover {
    const takeover = this.#takeover;
    if (takeover?.id !== id) throw new SandboxError('not_found', `there is no takeover ${id}`);
    if (takeover.ended !== null) return takeover;
    clearTimeout(this.#disconnectTimer);
    clearTimeout(this.#expiryTimer);
    const duration_ms = Math.max(0, this.#now() - Date.parse(takeover.started_at));
    const ended: Takeover = { ...takeover, ended: { reason, duration_ms } };
    this.#takeover = ended;
    // The listeners release the keys that are held down before the agent may act.
    this.#notify();
    try {
      this.#save(ended);
    } finally {
      this.#actions.release();
    }
    return ended;
  }

  /** Records inputs; false when the person of this takeover may not act. */
  record(id: string, inputsAt: (since: number) => readonly PersonInput[]): boolean {
    const takeover = this.#takeover;
    if (takeover === null || !this.holds(id)) return false;
    const inputs = inputsAt(this.#now() - Date.parse(takeover.started_at));
    if (inputs.length === 0) return true;
    if (this.#inputs.length + inputs.length > MAX_INPUTS) {
      this.#tryEnd(id, 'expired');
      return false;
    }
    appendFileSync(this.#files.inputs, inputs.map((input) => `${JSON.stringify(input)}\n`).join(''), {
      mode: 0o600,
    });
    this.#inputs.push(...inputs);
    this.#notify();
    return true;
  }

  /** Counts a connection that may act; the returned function has to be called when it closes. */
  join(): () => void {
    this.#controllers += 1;
    clearTimeout(this.#disconnectTimer);
    return () => {
      this.#controllers -= 1;
      if (this.#controllers === 0 && this.#takeover?.ended === null)
        this.#startDisconnectTimer(this.#takeover);
    };
  }

  /** The inputs from number `after` on; waits up to `waitMs` for an input or for the end. */
  async read(after: number, waitMs: number, signal: AbortSignal): Promise<TakeoverPage> {
    if (this.#takeover?.ended === null && this.#inputs.length <= after)
      await this.#waitForChange(waitMs, signal);
    const inputs = this.#inputs.slice(after, after + PAGE);
    const next = after + inputs.length;
    return { takeover: this.#takeover, inputs, next, more: this.#inputs.length > next };
  }

  /** Calls the listener after every change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #waitForChange(waitMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        off();
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      const off = this.onChange(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #watch(takeover: Takeover): void {
    const left = Math.max(0, Date.parse(takeover.expires_at) - this.#now());
    this.#expiryTimer = setTimeout(() => this.#tryEnd(takeover.id, 'expired'), left).unref();
    if (this.#controllers === 0) this.#startDisconnectTimer(takeover);
  }

  #startDisconnectTimer({ id, disconnect_after_s }: Takeover): void {
    clearTimeout(this.#disconnectTimer);
    const after = disconnect_after_s * 1000;
    this.#disconnectTimer = setTimeout(() => this.#tryEnd(id, 'disconnected'), after).unref();
  }

  #tryEnd(id: string, reason: TakeoverEnd['reason']): void {
    try {
      this.end(id, reason);
    } catch {
      // The disk is full. For this process the takeover has ended all the same.
    }
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }

  #save(takeover: Takeover): void {
    writeWholeSync(this.#files.state, JSON.stringify(takeover));
  }
}

const isTakeover = (value: unknown): value is Takeover =>
  isRecordOf(value, {
    id: isText,
    started_at: isText,
    expires_at: isText,
    ended: (ended) => typeof ended === 'object',
  });

/** A damaged record names nobody who could hand back, so it counts as no takeover. */
function readState(file: string): Takeover | null {
  return unlessDamaged(
    () => readRecord(file, isTakeover),
    () => null,
  );
}

/**
 * Reads the recorded inputs. A last line that was cut short was not passed on and is removed; damaged lines are left
 * out.
 */
function readInputs(file: string): PersonInput[] {
  const text = readText(file) ?? '';
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  if (whole !== text) writeWholeSync(file, whole);
  return whole
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => parsed(line) ?? []);
}

function parsed(line: string): PersonInput | null {
  try {
    return JSON.parse(line) as PersonInput;
  } catch {
    return null;
  }
}
