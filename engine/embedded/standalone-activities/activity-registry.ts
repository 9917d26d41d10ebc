import { isDeepStrictEqual } from 'node:util';
import type { DeploymentRegistry } from '../deployments/deployment-registry.ts';
import type { CommitGroup } from '../persistence/commit-group.ts';
import type { Clock } from '../primitives/clock.ts';
import { TaskQueueType } from '../protocol/proto.ts';
import type { Matching } from '../queues/matching.ts';
import type { Poller } from '../queues/task-queue.ts';
import type { TimerQueue } from '../queues/timer-queue.ts';
import type { VisibilityStore } from '../visibility/visibility-store.ts';
import { type ActivityRef, type StandaloneActivity, asRunRef, isClosed } from './activity.ts';
import type { ActivityRequest, ActivityStore } from './activity-store.ts';
import { activityVisibility, shownStatus } from './activity-visibility.ts';
import { scheduleAttempt, startAttempt, takeBackAttempt, timeOut } from './attempts.ts';
import { standaloneDeadline } from './deadlines.ts';
import { activityTask } from './views.ts';

interface RegistryParts {
  readonly now: Clock;
  readonly group: CommitGroup;
  readonly store: ActivityStore;
  readonly visibility: VisibilityStore;
  readonly matching: Matching;
  readonly deployments: DeploymentRegistry;
  readonly timers: TimerQueue;
  /** Is told how much of an activity is being worked on, where time is skipped. */
  readonly onWork: (key: number, count: number) => void;
}

/**
 * The activities that belong to no workflow. Those that are open are in memory, and the others in the database alone. A
 * change is made on a draft and is one transaction; its task goes to a waiting worker in the same commit.
 */
export class ActivityRegistry {
  readonly #parts: RegistryParts;
  readonly #byKey = new Map<number, StandaloneActivity>();
  readonly #byId = new Map<string, number>();
  readonly #waiting = new Map<number, Set<() => void>>();

  constructor(parts: RegistryParts) {
    this.#parts = parts;
  }

  /** Reads what is open, and goes on with it. */
  recover(): void {
    const { store, timers, group } = this.#parts;
    this.forgetAll();
    for (const activity of store.open()) this.#remember(activity);
    for (const { key, ref } of this.#byKey.values()) timers.set(key, asRunRef(ref), this.#parts.now());
    group.transact(() => {
      for (const activity of this.#byKey.values()) {
        this.#tellWork(activity);
        if (activity.state.queued) this.#enqueue(activity);
      }
    });
  }

  /** Forgets what is in memory, which is ahead of the file after a commit that failed. */
  forgetAll(): void {
    this.#byKey.clear();
    this.#byId.clear();
    this.#parts.timers.clear();
  }

  /** Finds a run, or the newest one of an id. */
  find({ namespace, activityId, runId }: ActivityRef): StandaloneActivity | undefined {
    const open = this.#byKey.get(this.#byId.get(idKey(namespace, activityId)) ?? -1);
    // The open run of an id is its newest.
    if (open && (runId === '' || open.ref.runId === runId)) return open;
    this.#parts.group.flush();
    return this.#parts.store.find(namespace, activityId, runId);
  }

  /** The rest of what it was started with. */
  requestOf({ key }: StandaloneActivity): ActivityRequest {
    this.#parts.group.flush();
    return this.#parts.store.request(key);
  }

  /** Adds an activity, whose first attempt goes into its queue when it is due. */
  add(activity: Omit<StandaloneActivity, 'key'>, request: ActivityRequest, dispatchTime: number): void {
    const { store, group, now } = this.#parts;
    const added: StandaloneActivity = { ...activity, key: store.allocateKey() };
    group.transact(() => {
      scheduleAttempt(added.state, dispatchTime);
      if (dispatchTime <= now()) added.state.queued = true;
      group.write(() => {
        store.insert(added, request);
      });
      this.#show(added, request);
      this.#settle(added);
      if (added.state.queued) this.#enqueue(added, request);
    });
  }

  /** Changes an activity; `change` gets a draft. Answers what it answers. */
  change<T>({ key, ref }: StandaloneActivity, change: (draft: StandaloneActivity) => T): T {
    const { store, group, now } = this.#parts;
    const current = this.#byKey.get(key) ?? this.find(ref);
    if (current === undefined) throw new Error(`activity ${ref.activityId} is gone`);
    const draft: StandaloneActivity = { ...current, state: structuredClone(current.state) };
    return group.transact(() => {
      const result = change(draft);
      const { state } = draft;
      const isDue =
        state.status === 'Scheduled' && !state.queued && (state.dispatchTime ?? Infinity) <= now();
      // A request that is repeated changes nothing.
      if (!isDue && isDeepStrictEqual(state, current.state)) return result;
      state.transitions += 1;
      if (isDue) state.queued = true;
      group.writeLatest(`activity/${key}`, () => {
        store.save(key, state);
      });
      const isShownOtherwise =
        shownStatus(draft) !== shownStatus(current) ||
        state.options.taskQueue !== current.state.options.taskQueue;
      if (isShownOtherwise) this.#show(draft);
      this.#settle(draft);
      if (isDue) this.#enqueue(draft);
      return result;
    });
  }

  /** Removes an activity, whatever its status. */
  delete({ key, ref }: StandaloneActivity): void {
    const { store, group, visibility, timers, onWork } = this.#parts;
    group.transact(() => {
      group.write(() => {
        store.delete(ref.namespace, ref.runId);
      });
      group.writeLatest(visibilityKey(key), () => {
        visibility.delete(ref.namespace, ref.runId);
      });
      group.afterCommit(() => {
        this.#notify(key);
      });
    });
    this.#forget({ key, ref });
    timers.set(key, asRunRef(ref), undefined);
    onWork(key, 0);
  }

  /** Does what is due for an activity. */
  fire(key: number): void {
    const activity = this.#byKey.get(key);
    if (!activity) return;
    const { now, timers } = this.#parts;
    const due = standaloneDeadline(activity.state);
    if (due === undefined || due.at > now()) {
      timers.set(key, asRunRef(activity.ref), due?.at);
      return;
    }
    this.change(activity, ({ state }) => {
      // A change of one that is due puts it into its queue.
      if (due.kind !== 'dispatch') timeOut(state, due.kind, now());
    });
  }

  /** Puts a task back that never reached its worker, unless something else came first. */
  takeBack(ref: ActivityRef, fence: string): void {
    const activity = this.#byKey.get(this.#byId.get(idKey(ref.namespace, ref.activityId)) ?? -1);
    if (activity?.ref.runId !== ref.runId || activity.state.fence !== fence) return;
    if (activity.state.status !== 'Started') return;
    this.change(activity, ({ state }) => {
      takeBackAttempt(state, this.#parts.now());
    });
  }

  /** Has `listener` called after the next change that is committed; the returned function takes it back. */
  onChange({ key }: StandaloneActivity, listener: () => void): () => void {
    const listeners = this.#waiting.get(key) ?? new Set();
    this.#waiting.set(key, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#waiting.delete(key);
    };
  }

  #notify(key: number): void {
    const listeners = this.#waiting.get(key) ?? [];
    this.#waiting.delete(key);
    for (const listener of listeners) listener();
  }

  /** Keeps what was changed, and what it waits for now. */
  #settle(activity: StandaloneActivity): void {
    const { key, ref, state } = activity;
    const { timers, group } = this.#parts;
    if (isClosed(state)) this.#forget(activity);
    else this.#remember(activity);
    timers.set(key, asRunRef(ref), standaloneDeadline(state)?.at);
    this.#tellWork(activity);
    group.afterCommit(() => {
      this.#notify(key);
    });
  }

  #remember(activity: StandaloneActivity): void {
    const { namespace, activityId } = activity.ref;
    this.#byKey.set(activity.key, activity);
    this.#byId.set(idKey(namespace, activityId), activity.key);
  }

  #forget({ key, ref }: Pick<StandaloneActivity, 'key' | 'ref'>): void {
    this.#byKey.delete(key);
    const id = idKey(ref.namespace, ref.activityId);
    if (this.#byId.get(id) === key) this.#byId.delete(id);
  }

  #tellWork({ key, state }: StandaloneActivity): void {
    const isWorkedOn = state.queued || state.fence !== undefined;
    this.#parts.onWork(key, isWorkedOn ? 1 : 0);
  }

  #enqueue(activity: StandaloneActivity, request?: ActivityRequest): void {
    const { group, matching, deployments, now } = this.#parts;
    const { key, ref, state } = activity;
    const { stamp } = state;
    group.joinCommit(() => {
      const { taskQueue } = state.options;
      const { version } = deployments.route(
        ref.namespace,
        taskQueue,
        TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY,
        ref.activityId,
      );
      matching.activityQueue(ref.namespace, taskQueue, version).add({
        addedAt: state.dispatchTime ?? now(),
        start: (poller) => this.#start(key, stamp, poller, request),
        reroute: () => {
          group.transact(() => {
            this.#enqueue(activity, request);
          });
        },
      });
    });
  }

  #start(
    key: number,
    stamp: number,
    poller: Poller,
    request: ActivityRequest | undefined,
  ): ReturnType<typeof activityTask> | undefined {
    const activity = this.#byKey.get(key);
    if (activity?.state.status !== 'Scheduled' || activity.state.stamp !== stamp) return undefined;
    const { store, now } = this.#parts;
    return this.change(activity, (draft) => {
      startAttempt(draft.state, poller, now());
      return activityTask(draft, request ?? store.request(key));
    });
  }

  /** Writes the row by which listings find the activity. */
  #show(activity: StandaloneActivity, request?: ActivityRequest): void {
    const { group, visibility, store } = this.#parts;
    group.writeLatest(visibilityKey(activity.key), () => {
      visibility.upsert(activityVisibility(activity, request ?? store.request(activity.key)));
    });
  }
}

function idKey(namespace: string, activityId: string): string {
  return `${namespace}\n${activityId}`;
}

function visibilityKey(key: number): string {
  return `visibility/activity/${key}`;
}
