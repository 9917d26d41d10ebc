import type { SqliteDatabase } from './database.ts';

type Step = () => void;

interface Scope {
  readonly writes: Step[];
  readonly joining: Step[];
  readonly effects: Step[];
  readonly keyed: Map<string, Step>;
}

/**
 * Turns changes into durable commits, several at a time.
 *
 * `transact` runs a synchronous change in memory and collects its writes. The writes of all changes of one turn of the
 * event loop share one SQLite transaction, and so do those of steps registered with `joinCommit` (giving a task to a
 * worker). Effects registered with `afterCommit` (informing a long poll, changing another run) run once the transaction
 * is durable, and the changes that they make are committed before `flush` returns. Callers answer only after `settled()`.
 */
export class CommitGroup {
  readonly #db: SqliteDatabase;
  readonly #onFailure: (error: unknown) => void;
  readonly #onEffectError: (error: unknown) => void;
  readonly #beforeCommit: Step;
  readonly #begin;
  readonly #commit;
  readonly #rollback;
  #writes: Step[] = [];
  #joining: Step[] = [];
  #effects: Step[] = [];
  #keyedWrites = new Map<string, Step>();
  #scope: Scope | undefined;
  #scheduled: NodeJS.Immediate | undefined;
  #settled: { promise: Promise<void>; resolve: () => void; reject: (error: unknown) => void } | undefined;
  #flushing = false;
  #closed = false;
  #failures = 0;

  /**
   * @param onFailure is called when a commit failed, so that memory is ahead of the file
   * @param onEffectError is called when an effect or a joined step threw; its commit stands
   * @param beforeCommit writes into every commit
   */
  constructor(
    db: SqliteDatabase,
    onFailure: (error: unknown) => void,
    onEffectError: (error: unknown) => void,
    beforeCommit: Step = () => undefined,
  ) {
    this.#db = db;
    this.#onFailure = onFailure;
    this.#onEffectError = onEffectError;
    this.#beforeCommit = beforeCommit;
    this.#begin = db.prepare('BEGIN IMMEDIATE');
    this.#commit = db.prepare('COMMIT');
    this.#rollback = db.prepare('ROLLBACK');
  }

  get inTransaction(): boolean {
    return this.#scope !== undefined;
  }

  /** Whether everything is committed and all effects have run. */
  get isIdle(): boolean {
    return !this.#flushing && !this.#scope && !this.#hasWork();
  }

  /** Runs a change; a nested call joins the outer one. When `change` throws, none of its writes happen. */
  transact<T>(change: () => T): T {
    if (this.#scope) return change();
    const scope: Scope = { writes: [], joining: [], effects: [], keyed: new Map() };
    this.#scope = scope;
    let result: T;
    try {
      result = change();
    } finally {
      this.#scope = undefined;
    }
    this.#writes.push(...scope.writes);
    this.#joining.push(...scope.joining);
    this.#effects.push(...scope.effects);
    for (const [key, step] of scope.keyed) this.#keyedWrites.set(key, step);
    this.#schedule();
    return result;
  }

  write(step: Step): void {
    this.#require().writes.push(step);
  }

  /** Registers a write of which only the newest in a commit counts, such as that of a whole row. */
  writeLatest(key: string, step: Step): void {
    this.#require().keyed.set(key, step);
  }

  /** Has `step` run once all changes of this turn are made. What it changes in turn becomes part of the same commit. */
  joinCommit(step: Step): void {
    this.#require().joining.push(step);
  }

  afterCommit(step: Step): void {
    this.#require().effects.push(step);
  }

  /** How often a commit failed. An answer is valid only if none failed since its request came in. */
  get failures(): number {
    return this.#failures;
  }

  /** Resolves once everything changed so far is durable; rejects when it could not be made so. */
  settled(): Promise<void> {
    if (!this.#hasWork() && !this.#flushing) return Promise.resolve();
    if (!this.#settled) {
      let resolve: () => void = () => undefined;
      let reject: (error: unknown) => void = () => undefined;
      const promise = new Promise<void>((res, rej) => {
        resolve = res;
        reject = rej;
      });
      promise.catch(() => undefined);
      this.#settled = { promise, resolve, reject };
    }
    return this.#settled.promise;
  }

  /** Commits what is pending and runs its effects, until nothing is left. */
  flush(): void {
    if (this.#flushing || this.#scope) return;
    this.#flushing = true;
    if (this.#scheduled) clearImmediate(this.#scheduled);
    this.#scheduled = undefined;
    try {
      while (this.#hasWork()) this.#flushOnce();
    } finally {
      this.#flushing = false;
      const settled = this.#settled;
      this.#settled = undefined;
      settled?.resolve();
    }
  }

  /**
   * Commits what is pending without running effects. It may be called from within an effect, so that a change that
   * failed half way can go back to what is stored without losing earlier changes.
   */
  commitWrites(): void {
    const writes = [...this.#writes, ...this.#keyedWrites.values()];
    this.#writes = [];
    this.#keyedWrites = new Map();
    if (writes.length === 0) return;
    try {
      this.#begin.run();
      for (const step of writes) step();
      this.#beforeCommit();
      this.#commit.run();
    } catch (error) {
      if (this.#db.inTransaction) this.#rollback.run();
      this.#joining = [];
      this.#effects = [];
      this.#failures++;
      const settled = this.#settled;
      this.#settled = undefined;
      settled?.reject(error);
      this.#onFailure(error);
    }
  }

  close(): void {
    this.flush();
    this.#closed = true;
  }

  #flushOnce(): void {
    this.#join();
    this.commitWrites();
    const effects = this.#effects;
    this.#effects = [];
    for (const effect of effects) this.#run(effect);
  }

  /** Runs the joining steps and those that they add. A commit that fails within one takes away the others. */
  #join(): void {
    const failures = this.#failures;
    while (this.#joining.length > 0) {
      const steps = this.#joining;
      this.#joining = [];
      for (const step of steps) {
        this.#run(step);
        if (this.#failures !== failures) return;
      }
    }
  }

  #run(step: Step): void {
    try {
      step();
    } catch (error) {
      this.#onEffectError(error);
    }
  }

  #hasWork(): boolean {
    const steps = this.#writes.length + this.#joining.length + this.#effects.length;
    return steps > 0 || this.#keyedWrites.size > 0;
  }

  #schedule(): void {
    if (this.#closed || this.#flushing || this.#scheduled || !this.#hasWork()) return;
    this.#scheduled = setImmediate(() => {
      this.#scheduled = undefined;
      this.flush();
    });
  }

  #require(): Scope {
    if (!this.#scope) throw new Error('not inside a transaction');
    return this.#scope;
  }
}
