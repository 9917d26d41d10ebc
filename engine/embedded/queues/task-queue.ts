import type { Clock } from '../primitives/clock.ts';
import type { VersionRef } from '../primitives/version-ref.ts';
import { Rate } from './rate.ts';

/** A worker's poll, as the task queue sees it. */
export interface Poller {
  readonly identity: string;
  readonly buildId: string | undefined;
  /** The version of a worker deployment; undefined of a worker that has none. */
  readonly version: VersionRef | undefined;
  /** The SDK that polls, as it names itself. */
  readonly sdk: { readonly name: string; readonly version: string };
  /** Whether the client has gone, so that no task may go to it. */
  readonly isGone: boolean;
}

/**
 * A task in a queue. `start` records that `poller` has it and answers what the poller gets. Undefined means that the
 * task is no longer wanted (its run closed, it timed out, another worker has it), and the queue removes it.
 */
export interface QueuedTask<R> {
  readonly addedAt: number;
  start(poller: Poller): R | undefined;
  /** Puts the task where other workers find it: the only worker of this queue leaves, or others get its tasks now. */
  reroute?(): void;
}

interface WaitingPoller<R> {
  readonly poller: Poller;
  readonly resolve: (result: R | undefined) => void;
}

/** How long a queue counts as served after its last poll. */
const SERVED_FOR_MS = 10_000;

/**
 * Tasks that wait for pollers, or pollers that wait for tasks. A task goes at once to the poller that has waited
 * longest; a poller that has gone never gets one.
 */
export class TaskQueue<R> {
  readonly name: string;
  /** The version whose workers poll it; undefined of workers without one. */
  readonly version: VersionRef | undefined;
  readonly #now: Clock;
  #tasks: QueuedTask<R>[] = [];
  #head = 0;
  readonly #waiting: WaitingPoller<R>[] = [];
  readonly #pollers = new Map<string, number>();
  #lastPoll = -Infinity;
  #lastUse: number;
  #shutDown = false;
  #added = 0;
  #dispatched = 0;
  readonly #addRate: Rate;
  readonly #dispatchRate: Rate;

  constructor(name: string, now: Clock, version?: VersionRef) {
    this.name = name;
    this.version = version;
    this.#now = now;
    this.#lastUse = now();
    this.#addRate = new Rate(now);
    this.#dispatchRate = new Rate(now);
  }

  get backlog(): number {
    return this.#tasks.length - this.#head;
  }

  get waitingPollers(): number {
    return this.#waiting.length;
  }

  get counts(): { readonly added: number; readonly dispatched: number } {
    return { added: this.#added, dispatched: this.#dispatched };
  }

  /** Tasks a second of the last half minute. */
  get rates(): { readonly added: number; readonly dispatched: number } {
    return { added: this.#addRate.perSecond, dispatched: this.#dispatchRate.perSecond };
  }

  /** The age of the oldest waiting task in ms. */
  get backlogAgeMs(): number {
    const oldest = this.#tasks[this.#head];
    return oldest ? this.#now() - oldest.addedAt : 0;
  }

  /** Whether a worker polls the queue, or did a moment ago and has not said that it leaves. */
  get isServed(): boolean {
    if (this.#waiting.length > 0) return true;
    return !this.#shutDown && this.#now() - this.#lastPoll < SERVED_FOR_MS;
  }

  /** Lists the identities that polled within five minutes, with the time of their last poll. */
  recentPollers(): { identity: string; lastAccess: number }[] {
    const since = this.#now() - 300_000;
    for (const [identity, at] of this.#pollers) if (at < since) this.#pollers.delete(identity);
    return [...this.#pollers].map(([identity, lastAccess]) => ({ identity, lastAccess }));
  }

  /** Whether the queue is empty and nobody has used it for long, so that it can be removed. */
  get isIdle(): boolean {
    return this.backlog === 0 && this.#waiting.length === 0 && this.#now() - this.#lastUse > 300_000;
  }

  add(task: QueuedTask<R>): void {
    this.#added++;
    this.#addRate.add();
    this.#lastUse = this.#now();
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
      if (next.poller.isGone) {
        next.resolve(undefined);
        continue;
      }
      let result: R | undefined;
      try {
        result = task.start(next.poller);
      } finally {
        if (result === undefined) this.#waiting.unshift(next);
      }
      if (result === undefined) return;
      this.#noteDispatch();
      this.#lastPoll = this.#now();
      next.resolve(result);
      return;
    }
    this.#tasks.push(task);
  }

  /** Takes a waiting task and starts it for `poller`; answers undefined when none is wanted any more. */
  take(poller: Poller): R | undefined {
    this.notePoll(poller);
    while (this.#head < this.#tasks.length) {
      const task = this.#tasks[this.#head++];
      if (this.#head > 64 && this.#head * 2 > this.#tasks.length) {
        this.#tasks = this.#tasks.slice(this.#head);
        this.#head = 0;
      }
      const result = task?.start(poller);
      if (result !== undefined) {
        this.#noteDispatch();
        return result;
      }
    }
    return undefined;
  }

  /** Waits for a task; the returned function ends the wait, after which nothing is handed to this poller. */
  wait(poller: Poller, resolve: (result: R | undefined) => void): () => void {
    const waiting = { poller, resolve };
    this.#waiting.push(waiting);
    return () => {
      this.#lastPoll = this.#now();
      const index = this.#waiting.indexOf(waiting);
      if (index >= 0) this.#waiting.splice(index, 1);
    };
  }

  /** Records that a poller left instead of waiting on: unless others wait, nobody serves this queue any more. */
  noteDeparture(): void {
    if (this.#waiting.length === 0) this.#lastPoll = -Infinity;
  }

  notePoll(poller: Poller): void {
    this.#lastPoll = this.#now();
    this.#lastUse = this.#lastPoll;
    this.#shutDown = false;
    this.#pollers.set(poller.identity, this.#lastPoll);
  }

  /** Ends the polls of a sticky queue whose worker leaves, and answers the waiting tasks for another queue. */
  shutDown(): QueuedTask<R>[] {
    this.#shutDown = true;
    this.releasePollers();
    return this.dropTasks();
  }

  dropTasks(): QueuedTask<R>[] {
    const rest = this.#tasks.slice(this.#head);
    this.#tasks = [];
    this.#head = 0;
    return rest;
  }

  #noteDispatch(): void {
    this.#dispatched++;
    this.#dispatchRate.add();
  }

  /** Ends waiting polls without a task: all of them, or those of one worker. */
  releasePollers(identity?: string): void {
    for (const waiting of Array.from(this.#waiting)) {
      if (identity !== undefined && waiting.poller.identity !== identity) continue;
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
      waiting.resolve(undefined);
    }
  }
}
