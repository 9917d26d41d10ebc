import { now } from '../common/clock.ts';
import type { InferenceError } from '../common/errors.ts';
import type { Work, WorkAnswer, WorkTimings } from './worker/messages.ts';
import { discardWork } from './worker/packed-image.ts';

/** A finished job's result. */
export interface Answered {
  readonly answer: WorkAnswer;
  readonly timings: WorkTimings;
}

/** Up to `sent` a request waits; it is then with a worker, which runs another one first. */
export type Stage = 'waiting' | 'preparing' | 'prepared' | 'sent' | 'running' | 'answered' | 'over';

/** The work of a request. */
export interface Task {
  /** Decodes the image or copies the tensors. It is called again where a worker was lost before it began the work. */
  prepare(signal: AbortSignal): Promise<Work>;
}

interface TicketOptions {
  readonly model: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Bytes that the request itself holds until it ends. */
  readonly bytes: number;
  /** The error for a deadline that has passed. */
  readonly late: () => InferenceError;
}

/**
 * A request in the process, from its arrival to its answer. It ends once: with an answer, with an error, at its
 * deadline, or when its client leaves. In the last two cases `onGone` is called.
 */
export class Ticket {
  readonly model: string;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly enteredAt = now();
  readonly bytes: number;
  readonly answered: Promise<Answered>;
  stage: Stage = 'waiting';
  task: Task | undefined;
  work: Work | undefined;
  /** The number of workers that were lost while they had it. */
  losses = 0;
  /** It is called once where the ticket ends early, by its deadline or its client. */
  onGone: () => void = () => undefined;
  /** It is called once when the ticket ends in any way. */
  onOver: () => void = () => undefined;
  readonly #gone = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #unlisten: () => void;
  #settle!: { resolve: (value: Answered) => void; reject: (reason: unknown) => void };

  constructor(options: TicketOptions) {
    const { model, timeoutMs, signal, bytes, late } = options;
    this.model = model;
    this.bytes = bytes;
    this.deadline = this.enteredAt + timeoutMs;
    this.answered = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // A caller may await it later, or never where the request was refused before.
    this.answered.catch(() => undefined);
    this.#timer = setTimeout(() => this.#leave(late()), timeoutMs);
    const leave = (): void => this.#leave(signal?.reason);
    signal?.addEventListener('abort', leave, { once: true });
    this.#unlisten = () => signal?.removeEventListener('abort', leave);
  }

  /** Aborted when the ticket is over. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  get over(): boolean {
    return this.stage === 'over';
  }

  finish(value: Answered): void {
    if (this.#end()) this.#settle.resolve(value);
  }

  fail(error: unknown): void {
    if (this.#end()) this.#settle.reject(error);
  }

  /** Resolves as the promise does, or rejects where the ticket ends before. */
  async during<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.answered.then((): never => unreachable())]);
  }

  #leave(reason: unknown): void {
    if (this.over) return;
    this.onGone();
    this.fail(reason);
  }

  #end(): boolean {
    if (this.over) return false;
    this.stage = 'over';
    this.task = undefined;
    discardWork(this.work);
    this.work = undefined;
    clearTimeout(this.#timer);
    this.#unlisten();
    this.#gone.abort();
    this.onOver();
    return true;
  }
}

function unreachable(): never {
  throw new Error('a ticket without work was answered');
}
