import type { CommitGroup } from '../persistence/commit-group.ts';
import type { HistoryEvent } from '../history/events.ts';
import type { HistoryStore } from '../history/history-store.ts';
import type { Clock } from '../primitives/clock.ts';
import { newId } from '../primitives/ids.ts';
import { type RunRef, runRefKey } from '../primitives/run-ref.ts';
import { nextDeadline } from './deadlines.ts';
import { MutableState, type RunEnvironment } from './mutable-state.ts';
import { PendingItems } from './pending-items.ts';
import { hasPendingWork } from './pending-work.ts';
import type { RunRecord, WorkflowTaskRecord } from './record.ts';
import type { RunRow, RunStore, StoredRun } from './run-store.ts';
import type { Task } from './tasks.ts';

/** Learns of the changes of runs. */
interface RunObserver {
  /** Is called within the transaction. `nextDeadline` is undefined when the run waits for nothing. */
  saved(state: MutableState, nextDeadline: number | undefined): void;
  /** Is called within the transaction that deletes a run. */
  deleted(ref: RunRef, runKey: number): void;
  /** Is called after the commit. */
  committed(ref: RunRef): void;
  /** Performs a task that a change called for, after the commit. */
  perform(ref: RunRef, task: Task): void;
}

/**
 * The runs. The registry keeps recently used ones in memory, up to a bound, and reads the others from the database.
 *
 * All changes go through `transact`. It is synchronous, so a run needs no lock; when it throws, the runs it edited are
 * dropped from memory and the next use reads their last committed state, with the speculative task that they had.
 */
export class RunRegistry {
  readonly #group: CommitGroup;
  readonly #store: RunStore;
  readonly #history: HistoryStore;
  readonly #observer: RunObserver;
  readonly #environment: RunEnvironment;
  readonly #capacity: number;
  readonly #cache = new Map<string, MutableState>();
  /** By run, its newest change that is not in the file yet. */
  readonly #uncommitted = new Map<string, RunRow>();
  readonly #currentRuns = new Map<string, string>();
  #edited: Map<string, MutableState> | undefined;
  /** By run, the speculative task that it had before the current transaction: the database has none. */
  readonly #speculative = new Map<string, { readonly ref: RunRef; readonly task: WorkflowTaskRecord }>();
  /** What the current transaction replaced in `#currentRuns`. */
  #replacedCurrent: { readonly id: string; readonly runId: string | undefined }[] = [];
  #nextTaskId: number;

  constructor(parts: {
    group: CommitGroup;
    store: RunStore;
    history: HistoryStore;
    observer: RunObserver;
    now: Clock;
    capacity: number;
  }) {
    this.#group = parts.group;
    this.#store = parts.store;
    this.#history = parts.history;
    this.#observer = parts.observer;
    this.#environment = {
      now: parts.now,
      life: newId().slice(0, 8),
      history: parts.history,
      nextTaskId: () => this.#nextTaskId++,
      joinCommit: (step) => parts.group.joinCommit(step),
      afterCommit: (effect) => parts.group.afterCommit(effect),
      perform: (ref, task) => parts.observer.perform(ref, task),
    };
    this.#capacity = parts.capacity;
    this.#nextTaskId = parts.now() * 1000;
  }

  /** Runs a change of one or more runs as one transaction; a nested call joins the outer one. */
  transact<T>(change: () => T): T {
    if (this.#edited) return change();
    const edited = new Map<string, MutableState>();
    this.#edited = edited;
    this.#replacedCurrent = [];
    try {
      return this.#group.transact(() => {
        const result = change();
        for (const state of edited.values()) this.#save(state);
        return result;
      });
    } catch (error) {
      this.#edited = undefined;
      for (const { id, runId } of this.#replacedCurrent.reverse()) {
        if (runId === undefined) this.#currentRuns.delete(id);
        else this.#currentRuns.set(id, runId);
      }
      const { failures } = this.#group;
      this.#group.commitWrites();
      for (const key of edited.keys()) this.#drop(key);
      // After a commit that failed, no queue has the task any more.
      if (this.#group.failures === failures) this.#putBack();
      throw error;
    } finally {
      this.#edited = undefined;
      this.#speculative.clear();
    }
  }

  /** Answers the run for changing it within a transaction; undefined when there is no such run. */
  edit(ref: RunRef): MutableState | undefined {
    const state = this.peek(ref);
    if (state) this.#markEdited(state);
    return state;
  }

  /** Answers the run for reading. */
  peek(ref: RunRef): MutableState | undefined {
    const key = runRefKey(ref);
    const cached = this.#cache.get(key);
    if (cached) {
      this.#cache.delete(key);
      this.#cache.set(key, cached);
      return cached;
    }
    const row = this.#store.find(ref);
    if (!row) return undefined;
    const state = this.#restore(ref, row);
    this.#remember(key, state);
    return state;
  }

  /** Creates a run within the current transaction and makes it the current one of its workflow id, unless it is not. */
  create(ref: RunRef, record: RunRecord, { isCurrent = true } = {}): MutableState {
    const state = this.#restore(ref, { run_key: this.#store.allocateKey(), state: record, items: [] });
    state.visibilityChanged = true;
    this.#remember(runRefKey(ref), state);
    this.#markEdited(state);
    if (isCurrent) this.setCurrent(ref);
    return state;
  }

  /** Gives a run that was just created all its events, in batches. */
  importHistory(state: MutableState, batches: readonly (readonly HistoryEvent[])[]): void {
    let firstEventId = 1;
    for (const events of batches) {
      const lastEventId = firstEventId + events.length - 1;
      state.record.historySizeBytes += this.#history.append(state.key, { firstEventId, lastEventId, events });
      firstEventId = lastEventId + 1;
    }
  }

  /** Gives a run that was just created the first events of another. */
  copyHistory(from: MutableState, to: MutableState, lastEventId: number): void {
    to.record.historySizeBytes += this.#history.copy(from.key, to.key, lastEventId);
  }

  setCurrent(ref: RunRef): void {
    const id = workflowKey(ref);
    this.#replacedCurrent.push({ id, runId: this.#currentRuns.get(id) });
    this.#currentRuns.set(id, ref.runId);
    this.#group.write(() => this.#store.setCurrent(ref));
    this.#group.afterCommit(() => {
      if (this.#currentRuns.get(id) === ref.runId) this.#currentRuns.delete(id);
    });
  }

  /** Answers the newest run of a workflow id, open or closed. */
  currentRunId(namespace: string, workflowId: string): string | undefined {
    return (
      this.#currentRuns.get(workflowKey({ namespace, workflowId })) ??
      this.#store.currentRunId(namespace, workflowId)
    );
  }

  /** Deletes a run and its history within the current transaction. */
  delete(ref: RunRef, runKey: number): void {
    const key = runRefKey(ref);
    this.#edited?.delete(key);
    // What earlier changes of the same turn wrote must not come after the removal.
    if (this.#uncommitted.has(key)) this.#group.commitWrites();
    this.#history.delete(runKey);
    this.#group.write(() => this.#store.delete(ref, runKey));
    this.#observer.deleted(ref, runKey);
    this.#group.afterCommit(() => this.#drop(key));
    this.#cache.delete(key);
  }

  /** Forgets everything in memory, after a failed commit. */
  forgetAll(): void {
    this.#cache.clear();
    this.#uncommitted.clear();
    this.#currentRuns.clear();
    this.#history.forgetAll();
  }

  now(): number {
    return this.#environment.now();
  }

  get cached(): number {
    return this.#cache.size;
  }

  #restore({ namespace, workflowId, runId }: RunRef, row: StoredRun): MutableState {
    // This makes a copy, because callers look runs up by task tokens and parents, which have more fields.
    const ref: RunRef = { namespace, workflowId, runId };
    return new MutableState(ref, row.run_key, row.state, new PendingItems(row.items), this.#environment);
  }

  #markEdited(state: MutableState): void {
    if (!this.#edited) throw new Error('a run can only be changed inside a transaction');
    const key = runRefKey(state.ref);
    if (this.#edited.has(key)) return;
    this.#edited.set(key, state);
    const { workflowTask } = state.record;
    if (workflowTask?.kind !== 'speculative') return;
    this.#speculative.set(key, { ref: state.ref, task: structuredClone(workflowTask) });
  }

  /** Without its task, nobody would be given the updates that a run has admitted. */
  #putBack(): void {
    for (const { ref, task } of this.#speculative.values()) {
      const state = this.peek(ref);
      if (state) state.record.workflowTask = task;
    }
  }

  #save(state: MutableState): void {
    const { record, ref } = state;
    const batch = state.takeBatch();
    if (batch) record.historySizeBytes += this.#history.append(state.key, batch);
    record.stateTransitions += 1;
    const changes = state.pending.takeChanges();
    const deadline = nextDeadline(state)?.at;
    const row: RunRow = {
      runKey: state.key,
      ref,
      state: JSON.stringify(withoutSpeculativeTask(record)),
      nextDeadline: deadline ?? null,
      pendingWork: hasPendingWork(state) ? 1 : 0,
    };
    const key = runRefKey(ref);
    this.#group.writeLatest(`run/${state.key}`, () => this.#store.save(row));
    for (const change of changes) {
      const { kind, id } = change;
      this.#group.writeLatest(`${kind}/${state.key}/${id}`, () => this.#store.saveItem(state.key, change));
    }
    this.#uncommitted.set(key, row);
    this.#group.afterCommit(() => {
      // An effect of this commit may have changed the run again, which must not be read from the file yet.
      if (this.#uncommitted.get(key) === row) this.#uncommitted.delete(key);
      if (!state.isRunning) this.#history.forget(state.key);
      this.#observer.committed(ref);
    });
    this.#observer.saved(state, deadline);
    state.visibilityChanged = false;
  }

  #remember(key: string, state: MutableState): void {
    this.#cache.set(key, state);
    if (this.#cache.size <= this.#capacity) return;
    for (const [oldKey, old] of this.#cache) {
      if (this.#cache.size <= this.#capacity) return;
      if (oldKey === key || this.#isPinned(oldKey, old)) continue;
      this.#drop(oldKey);
    }
  }

  /** Whether memory holds something of this run that the database does not have. */
  #isPinned(key: string, state: MutableState): boolean {
    return (
      this.#uncommitted.has(key) ||
      this.#edited?.has(key) === true ||
      state.record.workflowTask?.kind === 'speculative'
    );
  }

  #drop(key: string): void {
    const state = this.#cache.get(key);
    this.#cache.delete(key);
    if (state) this.#history.forget(state.key);
  }
}

function withoutSpeculativeTask(record: RunRecord): RunRecord {
  if (record.workflowTask?.kind !== 'speculative') return record;
  const { workflowTask: _speculative, ...stored } = record;
  return stored;
}

function workflowKey(ref: { namespace: string; workflowId: string }): string {
  return `${ref.namespace}\n${ref.workflowId}`;
}
