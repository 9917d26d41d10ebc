import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { CommitGroup } from '../persistence/commit-group.ts';
import type { NamespaceRegistry } from '../persistence/namespace-registry.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import type { TimerQueue } from '../queues/timer-queue.ts';
import type { VisibilityStore } from '../visibility/visibility-store.ts';
import type { Timed } from './due-times.ts';
import { type NextStep, type ScheduleRequest, type ScheduleServices, runSchedule } from './run-schedule.ts';
import { type Schedule, WORKFLOW_ID_PREFIX } from './schedule.ts';
import { scheduleVisibility } from './schedule-visibility.ts';
import type { ScheduleStore } from './schedule-store.ts';

interface RegistryParts {
  readonly services: ScheduleServices;
  readonly runs: RunRegistry;
  readonly namespaces: NamespaceRegistry;
  readonly group: CommitGroup;
  readonly store: ScheduleStore;
  readonly visibility: VisibilityStore;
  readonly timers: TimerQueue;
  /** Is told of an error that is the engine's fault; the schedule is tried again. */
  readonly onError: (error: unknown, ref: RunRef) => void;
}

/** A schedule that failed through a fault of the engine is tried again after this time. */
const RETRY_MS = 1000;

/**
 * The schedules, which are all in memory. A change is made on a draft and is one transaction with the runs that it
 * starts and ends, so a start happens once, whenever the process dies.
 */
export class ScheduleRegistry {
  readonly #parts: RegistryParts;
  readonly #byKey = new Map<number, Schedule>();
  readonly #byId = new Map<string, number>();
  /** The schedules that wait for runs of a workflow id to end. */
  readonly #watching = new Map<string, Set<number>>();

  constructor(parts: RegistryParts) {
    this.#parts = parts;
  }

  /** Does what became due while nothing was done. */
  recover(): void {
    this.load();
    const all = [...this.#byKey.keys()];
    for (const key of all) this.#tryRun(key);
  }

  /** Replaces what is in memory by what the database has. */
  load(): void {
    const stored = this.#parts.store.all();
    this.#byKey.clear();
    this.#byId.clear();
    this.#watching.clear();
    this.#parts.timers.clear();
    for (const schedule of stored) this.#put(schedule);
  }

  find(namespace: string, scheduleId: string): Schedule | undefined {
    return this.#byKey.get(this.#byId.get(idKey(namespace, scheduleId)) ?? -1);
  }

  /** Answers a schedule with what its times depend on. */
  timed(schedule: Schedule): Timed {
    const { namespace, scheduleId } = schedule.ref;
    return { schedule, jitterSeed: `${this.#parts.namespaces.get(namespace).id}-${scheduleId}` };
  }

  /** Adds a schedule and does what is due from the start. */
  create(schedule: Omit<Schedule, 'key'>, request: ScheduleRequest): void {
    const { store, group, runs, services } = this.#parts;
    const draft: Schedule = { ...schedule, key: store.allocateKey() };
    const next = runs.transact(() => {
      const step = runSchedule(services, this.timed(draft), request);
      group.write(() => store.insert(draft));
      this.#show(draft);
      return step;
    });
    this.#put(draft);
    this.#wait(draft, next);
  }

  /** Does what is due for a schedule and what is asked of it. */
  run(key: number, request: ScheduleRequest = {}, prepare?: (draft: Schedule) => void): void {
    const current = this.#byKey.get(key);
    if (!current) return;
    const { store, group, runs, services } = this.#parts;
    const draft: Schedule = { ...current, state: structuredClone(current.state) };
    const next = runs.transact(() => {
      prepare?.(draft);
      const step = runSchedule(services, this.timed(draft), request);
      group.writeLatest(`schedule/${key}`, () => store.saveState(key, draft.state));
      if (draft.definition !== current.definition) {
        group.write(() => store.saveDefinition(key, draft.definition));
      }
      if (draft.definition !== current.definition || draft.state.paused !== current.state.paused) {
        this.#show(draft);
      }
      return step;
    });
    this.#put(draft);
    if (next.expired) this.delete(draft);
    else this.#wait(draft, next);
  }

  /** Removes a schedule; its runs go on. */
  delete(schedule: Schedule): void {
    const { key, ref } = schedule;
    const { store, group, visibility, timers } = this.#parts;
    group.transact(() => {
      group.write(() => store.delete(key));
      group.writeLatest(visibilityKey(schedule), () => visibility.delete(ref.namespace, ref.runId));
    });
    this.#unwatch(schedule);
    this.#byKey.delete(key);
    this.#byId.delete(idKey(ref.namespace, ref.scheduleId));
    timers.set(key, timerRef(schedule), undefined);
  }

  /** Is called after each commit of a run: the schedules that wait for its end go on. */
  onCommitted(ref: RunRef): void {
    const keys = this.#watching.get(idKey(ref.namespace, ref.workflowId));
    if (!keys || this.#parts.runs.peek(ref)?.isRunning) return;
    const waiting = [...keys];
    for (const key of waiting) this.#tryRun(key);
  }

  #tryRun(key: number): void {
    const schedule = this.#byKey.get(key);
    if (!schedule) return;
    try {
      this.run(key);
    } catch (error) {
      const { timers, services, onError } = this.#parts;
      onError(error, timerRef(schedule));
      timers.set(key, timerRef(schedule), services.now() + RETRY_MS);
    }
  }

  #put(schedule: Schedule): void {
    const { key, ref } = schedule;
    const former = this.#byKey.get(key);
    if (former) this.#unwatch(former);
    this.#byKey.set(key, schedule);
    this.#byId.set(idKey(ref.namespace, ref.scheduleId), key);
    for (const { workflowId } of schedule.state.running) {
      const id = idKey(ref.namespace, workflowId);
      const keys = this.#watching.get(id);
      if (keys) keys.add(key);
      else this.#watching.set(id, new Set([key]));
    }
  }

  #unwatch({ key, ref, state }: Schedule): void {
    for (const { workflowId } of state.running) {
      const id = idKey(ref.namespace, workflowId);
      const keys = this.#watching.get(id);
      keys?.delete(key);
      if (keys?.size === 0) this.#watching.delete(id);
    }
  }

  #wait(schedule: Schedule, { wakeup }: NextStep): void {
    this.#parts.timers.set(schedule.key, timerRef(schedule), wakeup);
  }

  /** Writes the row by which listings find the schedule. */
  #show(schedule: Schedule): void {
    const { group, visibility } = this.#parts;
    const row = scheduleVisibility(schedule);
    group.writeLatest(visibilityKey(schedule), () => visibility.upsert(row));
  }
}

function idKey(namespace: string, id: string): string {
  return `${namespace}\n${id}`;
}

function visibilityKey({ key }: Schedule): string {
  return `visibility/schedule/${key}`;
}

function timerRef({ ref }: Schedule): RunRef {
  const { namespace, scheduleId, runId } = ref;
  return { namespace, workflowId: `${WORKFLOW_ID_PREFIX}${scheduleId}`, runId };
}
