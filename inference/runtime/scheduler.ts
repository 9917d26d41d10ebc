import { now } from '../common/clock.ts';
import { InferenceError } from '../common/errors.ts';
import type { ModelPool } from './model-pool.ts';
import { byteSizeOf } from '../common/tensor.ts';
import { Ticket, type Stage, type Task } from './ticket.ts';
import type { Work } from './worker/messages.ts';
import { discardWork } from './worker/packed-image.ts';

/** Bytes that waiting decoded images may hold together; a single one may be larger. */
const PREPARED_BYTES = 256 * 1024 * 1024;
/** Bytes that all requests together may hold while they wait. */
const QUEUE_BYTES = 512 * 1024 * 1024;
/** A batch whose run takes no longer is sent while another one runs, so that the worker does not wait for it. */
const SEND_AHEAD_MS = 250;

interface SchedulerOptions {
  /** Runs at a time, of all models. */
  readonly concurrency: number;
  /** Requests that may wait. */
  readonly queue: number;
  /** Images in one run, where a model takes several. */
  readonly batch: number;
  readonly onChange: (change: { model: string; waiting: number; running: number }) => void;
}

/**
 * Decides which request runs next. Requests wait here undecoded; a few of them at a time are decoded ahead, and sent to
 * a worker of their model when that is free. The model with the fewest runs under way is next.
 *
 * A request that is alone in the process runs on all threads. Where there are several, each runs on one.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #tickets = new Set<Ticket>();
  readonly #pools = new Set<ModelPool>();
  readonly #reported = new Map<string, { waiting: number; running: number }>();
  #sends = 0;
  #pumping = false;
  #again = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  /**
   * Admits a request at once, or refuses it.
   * @throws {InferenceError} queue_full, deadline_exceeded; the signal's reason where it is aborted already
   */
  enter(options: {
    readonly model: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal | undefined;
    /** Bytes that the request itself holds. */
    readonly bytes: number;
    /** Whether the model has not been loaded yet. */
    readonly loading: () => boolean;
  }): Ticket {
    const { model, timeoutMs, signal, bytes, loading } = options;
    signal?.throwIfAborted();
    const waiting = this.#waiting();
    if (waiting >= this.#options.queue) {
      throw new InferenceError('queue_full', `${waiting} requests wait already, which is as many as may`, {
        retryAfterS: this.#retryAfterS(),
      });
    }
    const held = this.#heldBytes();
    if (held > 0 && held + bytes > QUEUE_BYTES) {
      throw new InferenceError('queue_full', `${Math.round(held / 2 ** 20)} MiB of requests wait already`, {
        retryAfterS: this.#retryAfterS(),
      });
    }
    const expected = this.#expectedWaitMs();
    // The estimate is a mean of runs, so a request is refused only where it is twice the limit.
    if (timeoutMs <= 0 || expected > 2 * timeoutMs) {
      throw new InferenceError(
        'deadline_exceeded',
        `the answer would not come within ${timeoutMs} ms: about ${Math.round(expected)} ms of work wait already`,
        { retryAfterS: this.#retryAfterS() },
      );
    }
    const ticket = new Ticket({
      model,
      timeoutMs,
      signal,
      bytes,
      late: () =>
        loading()
          ? new InferenceError('model_unavailable', `the model ${model} is still loading`, { field: 'model' })
          : new InferenceError('deadline_exceeded', `the answer did not come within ${timeoutMs} ms`, {
              retryAfterS: this.#retryAfterS(),
            }),
    });
    this.#tickets.add(ticket);
    ticket.onOver = () => {
      this.#tickets.delete(ticket);
      this.pump();
    };
    return ticket;
  }

  /** Puts the ticket into the model's queue. */
  submit(ticket: Ticket, pool: ModelPool, task: Task): void {
    if (ticket.over) return;
    if (pool.closed) {
      ticket.fail(new InferenceError('model_unavailable', `the model ${pool.name} was unloaded`));
      return;
    }
    this.#pools.add(pool);
    ticket.task = task;
    ticket.onGone = () => pool.forget(ticket);
    pool.waiting.push(ticket);
    this.pump();
  }

  /** Prepares and sends what it can now. It is called whenever something has changed. */
  pump(): void {
    // A ticket that ends calls this method again from within.
    this.#again = true;
    if (this.#pumping) return;
    this.#pumping = true;
    try {
      while (this.#again) {
        this.#again = false;
        while (this.#sendOne()) continue;
        while (this.#prepareOne()) continue;
        for (const pool of this.#pools) {
          if (!pool.hasWork && (pool.closed || pool.busy === 0)) this.#pools.delete(pool);
        }
      }
    } finally {
      this.#pumping = false;
    }
    this.#report();
  }

  #prepareOne(): boolean {
    let ahead = 0;
    let bytes = 0;
    for (const pool of this.#pools) {
      for (const { work } of pool.prepared) {
        ahead++;
        if (work) bytes += bytesOf(work);
      }
    }
    if (ahead > this.#options.concurrency * this.#options.batch || bytes > PREPARED_BYTES) return false;
    const pool = this.#fairestFirst((candidate) => candidate.waiting.length > 0)[0];
    const ticket = pool?.waiting.shift();
    if (pool === undefined || ticket?.task === undefined) return false;
    ticket.stage = 'preparing';
    ticket.onGone = () => pool.forget(ticket);
    pool.prepared.push(ticket);
    ticket.task.prepare(ticket.gone).then(
      (work) => {
        if (ticket.over) {
          discardWork(work);
          return;
        }
        ticket.work = work;
        ticket.stage = 'prepared';
        this.pump();
      },
      (error: unknown) => {
        pool.forget(ticket);
        ticket.fail(error);
      },
    );
    return true;
  }

  #sendOne(): boolean {
    const ready = this.#fairestFirst((pool) => pool.prepared.some(isPrepared));
    if (ready.length === 0) return false;
    let busy = 0;
    for (const pool of this.#pools) busy += pool.busy;
    if (busy < this.#options.concurrency) {
      for (const pool of ready) {
        const worker = pool.idle();
        if (worker === undefined) {
          pool.grow();
          continue;
        }
        const alone = this.#tickets.size === 1 && busy === 0;
        worker.send(this.#nextBatch(pool), worker.wide && alone);
        return true;
      }
    }
    for (const pool of ready) {
      // Sending ahead must not delay a model with fewer runs.
      if (ready.some((other) => other.busy < pool.busy)) continue;
      if ((pool.meanRunMs ?? Infinity) > SEND_AHEAD_MS) continue;
      const worker = pool.nearlyIdle();
      if (worker === undefined) continue;
      worker.send(this.#nextBatch(pool), false);
      return true;
    }
    return false;
  }

  #nextBatch(pool: ModelPool): readonly Ticket[] {
    pool.lastSent = ++this.#sends;
    const most = pool.model.batches ? this.#options.batch : 1;
    const taken: Ticket[] = [];
    for (const ticket of pool.prepared.filter(isPrepared)) {
      if (taken.length > 0 && (taken.length >= most || !isImage(ticket) || !isImage(taken[0]))) break;
      taken.push(ticket);
    }
    pool.prepared.splice(0, Infinity, ...pool.prepared.filter((ticket) => !taken.includes(ticket)));
    return taken;
  }

  #fairestFirst(wanted: (pool: ModelPool) => boolean): ModelPool[] {
    return [...this.#pools].filter(wanted).toSorted((a, b) => a.busy - b.busy || a.lastSent - b.lastSent);
  }

  #waiting(): number {
    let count = 0;
    for (const { stage } of this.#tickets) if (isWaiting(stage)) count++;
    return count;
  }

  #heldBytes(): number {
    let held = 0;
    for (const { bytes } of this.#tickets) held += bytes;
    return held;
  }

  #expectedWaitMs(): number {
    let ms = 0;
    for (const pool of this.#pools) {
      ms += (pool.meanRunMs ?? 0) * (pool.waiting.length + pool.prepared.length);
    }
    return ms / this.#options.concurrency;
  }

  #retryAfterS(): number {
    return Math.min(60, Math.max(1, Math.ceil(this.#expectedWaitMs() / 1000)));
  }

  #report(): void {
    const counts = new Map<string, { waiting: number; running: number }>();
    for (const model of this.#reported.keys()) counts.set(model, { waiting: 0, running: 0 });
    for (const { model, stage } of this.#tickets) {
      const count = counts.get(model) ?? { waiting: 0, running: 0 };
      counts.set(model, count);
      if (isWaiting(stage)) count.waiting++;
      else if (stage === 'running') count.running++;
    }
    for (const [model, count] of counts) {
      const reported = this.#reported.get(model);
      if (reported?.waiting === count.waiting && reported.running === count.running) continue;
      if (count.waiting + count.running === 0) this.#reported.delete(model);
      else this.#reported.set(model, count);
      this.#options.onChange({ model, ...count });
    }
  }
}

function isWaiting(stage: Stage): boolean {
  return stage === 'waiting' || stage === 'preparing' || stage === 'prepared' || stage === 'sent';
}

function isPrepared(ticket: Ticket): boolean {
  return ticket.stage === 'prepared' && now() < ticket.deadline;
}

function isImage(ticket: Ticket | undefined): boolean {
  return ticket?.work?.type === 'analyze';
}

function bytesOf(work: Work): number {
  if (work.type === 'analyze') return work.image.byteLength;
  return byteSizeOf(work.inputs);
}
