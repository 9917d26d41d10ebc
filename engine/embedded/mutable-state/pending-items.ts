import { KeyedHeap } from '../primitives/keyed-heap.ts';
import { activityDeadline } from './activity-deadline.ts';
import type { Deadline } from './deadlines.ts';
import { ItemMap } from './item-map.ts';
import { isDispatchable } from './pending-work.ts';
import type { ActivityRecord, ChildRecord, TimerRecord } from './record.ts';

export type ItemKind = 'activity' | 'timer' | 'child';

/** An item as its row has it: `id` is an event's number, of a timer the timer's id; `item` is its record as JSON. */
export interface ItemRow {
  readonly kind: ItemKind;
  readonly id: string | number;
  readonly item: string;
}

/** A change of a row; without `item` it is removed. */
export type ItemChange = Omit<ItemRow, 'item'> & { readonly item: string | undefined };

/**
 * The activities, timers and children of a run that are not over. Each is a row of its own and only changed ones are
 * written; the next deadline is kept up to date item by item. So a change costs the same however many are pending.
 */
export class PendingItems {
  /** By their scheduled events. */
  readonly activities: ItemMap<number, ActivityRecord>;
  readonly timers: ItemMap<string, TimerRecord>;
  /** By their initiated events. */
  readonly children: ItemMap<number, ChildRecord>;
  /** The next deadlines of timers (by their ids, texts) and activities (by their events, numbers). */
  readonly #deadlines = new KeyedHeap<string | number>();
  readonly #dispatchable = new Set<number>();
  readonly #eventOf = new Map<string, number>();
  readonly #activityIdOf = new Map<number, string>();
  /** The timers and activities that were touched since the fields above were brought up to date. */
  readonly #outdated = new Set<string | number>();

  constructor(rows: readonly ItemRow[] = []) {
    const of = <Id, Item>(kind: ItemKind): (readonly [Id, Item])[] =>
      rows.filter((row) => row.kind === kind).map((row) => [row.id as Id, JSON.parse(row.item) as Item]);
    const outdate = (id: string | number): void => {
      this.#outdated.add(id);
    };
    this.activities = new ItemMap(of<number, ActivityRecord>('activity'), outdate);
    this.timers = new ItemMap(of<string, TimerRecord>('timer'), outdate);
    this.children = new ItemMap(of<number, ChildRecord>('child'), () => undefined);
    for (const { kind, id } of rows) if (kind !== 'child') outdate(id);
  }

  /** Finds a pending activity by the id that its workflow gave it. */
  activityById(activityId: string): Readonly<ActivityRecord> | undefined {
    this.#update();
    const scheduledEventId = this.#eventOf.get(activityId);
    return scheduledEventId === undefined ? undefined : this.activities.get(scheduledEventId);
  }

  get hasDispatchable(): boolean {
    this.#update();
    return this.#dispatchable.size > 0;
  }

  nextDeadline(): Deadline | undefined {
    this.#update();
    const next = this.#deadlines.earliest();
    if (next === undefined) return undefined;
    const { key, at } = next;
    if (typeof key === 'string') return { at, kind: 'timer', timerId: key };
    const activity = this.activities.get(key);
    return activity && activityDeadline(activity);
  }

  /** Removes everything, because the run closed. */
  clear(): void {
    this.activities.clear();
    this.timers.clear();
    this.children.clear();
  }

  /**
   * Answers what changed since the last call. Deadlines are right again after it: who has asked for an item to change it may
   * have done so after they were looked at.
   */
  takeChanges(): ItemChange[] {
    const changes = <Id extends string | number>(kind: ItemKind, map: ItemMap<Id, object>): ItemChange[] =>
      map.takeTouched().map(([id, item]) => {
        if (kind !== 'child') this.#outdated.add(id);
        return { kind, id, item: item && JSON.stringify(item) };
      });
    return [
      ...changes('activity', this.activities),
      ...changes('timer', this.timers),
      ...changes('child', this.children),
    ];
  }

  #update(): void {
    if (this.#outdated.size === 0) return;
    for (const id of this.#outdated) {
      if (typeof id === 'number') {
        this.#updateActivity(id);
        continue;
      }
      const timer = this.timers.get(id);
      this.#deadlines.set(id, timer?.fireAt, timer?.startedEventId);
    }
    this.#outdated.clear();
  }

  #updateActivity(scheduledEventId: number): void {
    const activity = this.activities.get(scheduledEventId);
    const at = activity && activityDeadline(activity)?.at;
    this.#deadlines.set(scheduledEventId, at, scheduledEventId);
    if (activity && isDispatchable(activity)) this.#dispatchable.add(scheduledEventId);
    else this.#dispatchable.delete(scheduledEventId);
    if (activity) {
      this.#eventOf.set(activity.activityId, scheduledEventId);
      this.#activityIdOf.set(scheduledEventId, activity.activityId);
      return;
    }
    const activityId = this.#activityIdOf.get(scheduledEventId) ?? '';
    if (this.#eventOf.get(activityId) === scheduledEventId) this.#eventOf.delete(activityId);
    this.#activityIdOf.delete(scheduledEventId);
  }
}
