import type { InferenceError } from '../common/errors.ts';
import type { Work, WorkAnswer, WorkTimings } from './worker/messages.ts';
import { discardWork } from './worker/packed-image.ts';

/** A finished job. */
export interface Answered {
  readonly answer: WorkAnswer;
  readonly timings: WorkTimings;
}

/** Up to `sent`, which is with a worker and behind another one there, it waits. */
export type Stage = 'waiting' | 'preparing' | 'prepared' | 'sent' | 'running' | 'answered' | 'over';

/** What a request gives the queue to do. */
export interface Task {
  /** Makes the work: decodes the image, copies the tensors. Called again when a worker died before it began. */
  prepare(signal: AbortSignal): Promise<Work>;
}

export interface TicketOptions {
  readonly model: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** What the request itself holds until it ends. */
  readonly bytes: number;
  /** When its deadline passes: what to tell. */
  readonly late: () => InferenceError;
}

/**
 * A request's place in the process, from its arrival to its answer. It ends once: with an answer, an error, at its deadline
 * or when its client leaves; whoever holds it then hears `onGone`.
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
  /** How many workers were lost while they had it. */
  losses = 0;
  /** Called once when it ends early, by its deadline or its client. */
  onGone: () => void = () => undefined;
  /** Called once when it ends in any way. */
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
    // Its holder may look at it later, or never when it was refused on the way.
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

  /** Resolves with the promise, or rejects when the ticket ends before. */
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

/** Milliseconds since the epoch, steady and the same in every thread. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}

function unreachable(): never {
  throw new Error('a ticket without work was answered');
}
