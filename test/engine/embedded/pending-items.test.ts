import { activityDeadline } from '../../../engine/embedded/mutable-state/activity-deadline.ts';
import { type ItemRow, PendingItems } from '../../../engine/embedded/mutable-state/pending-items.ts';
import { isDispatchable } from '../../../engine/embedded/mutable-state/pending-work.ts';
import type { ActivityRecord } from '../../../engine/embedded/mutable-state/record.ts';
import { assertProperty, fc } from '../../support/fast-check.ts';

const activity = (scheduledEventId: number, changes: Partial<ActivityRecord> = {}): ActivityRecord => ({
  scheduledEventId,
  activityId: `id ${scheduledEventId % 7}`,
  activityType: 't',
  taskQueue: 'q',
  scheduledTime: 0,
  scheduleToCloseMs: 0,
  scheduleToStartMs: 0,
  startToCloseMs: 0,
  heartbeatMs: 0,
  attempt: 1,
  attemptScheduledTime: 0,
  ...changes,
});

/** Writes what changed as rows, as the file would have them. */
function store(rows: Map<string, ItemRow>, pending: PendingItems): void {
  for (const { kind, id, item } of pending.takeChanges()) {
    if (item === undefined) rows.delete(`${kind} ${id}`);
    else rows.set(`${kind} ${id}`, { kind, id, item });
  }
}

/** The earliest time by looking at everything. */
function scanned(pending: PendingItems): number | undefined {
  const times = [
    ...[...pending.timers.values()].map(({ fireAt }) => fireAt),
    ...[...pending.activities.values()].flatMap((one) => activityDeadline(one)?.at ?? []),
  ];
  return times.length === 0 ? undefined : Math.min(...times);
}

const id = fc.integer({ min: 1, max: 12 });
const ms = fc.integer({ min: 0, max: 1000 });
const change = fc.oneof(
  fc.record({ do: fc.constant('timer' as const), id, at: ms }),
  fc.record({ do: fc.constant('schedule' as const), id, ms }),
  fc.record({ do: fc.constant('start' as const), id, ms }),
  fc.record({ do: fc.constant('back off' as const), id, ms }),
  fc.record({ do: fc.constant('child' as const), id }),
  fc.record({ do: fc.constant('remove' as const), id }),
  fc.record({ do: fc.constantFrom('clear' as const, 'look' as const, 'save' as const, 'restart' as const) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(pending: PendingItems, one: Change): void {
  const { activities, timers, children } = pending;
  switch (one.do) {
    case 'timer':
      timers.add(`${one.id}`, { startedEventId: one.id, fireAt: one.at });
      return;
    case 'schedule':
      activities.add(one.id, activity(one.id, { scheduleToStartMs: one.ms, heartbeatMs: one.ms / 2 }));
      return;
    case 'start':
      Object.assign(activities.edit(one.id) ?? {}, { startedTime: one.ms, backoffUntil: undefined });
      return;
    case 'back off':
      Object.assign(activities.edit(one.id) ?? {}, { startedTime: undefined, backoffUntil: one.ms });
      return;
    case 'child': {
      const child = { initiatedEventId: one.id, workflowId: 'w', workflowType: 't', parentClosePolicy: 1 };
      children.add(one.id, child);
      return;
    }
    case 'remove':
      activities.delete(one.id);
      timers.delete(`${one.id}`);
      children.delete(one.id);
      return;
    case 'clear':
      pending.clear();
      return;
    case 'look':
      pending.nextDeadline();
      return;
    case 'save':
    case 'restart':
  }
}

test('whatever changes, the next deadline and what waits for a worker are those that looking at everything finds, and rows have all', () => {
  assertProperty(500, fc.array(change, { maxLength: 60 }), (changes) => {
    let pending = new PendingItems();
    const rows = new Map<string, ItemRow>();
    for (const one of changes) {
      apply(pending, one);
      if (one.do === 'save' || one.do === 'restart') store(rows, pending);
      if (one.do === 'restart') pending = new PendingItems([...rows.values()]);
    }
    expect(pending.nextDeadline()?.at).toBe(scanned(pending));
    expect(pending.hasDispatchable).toBe([...pending.activities.values()].some(isDispatchable));
    for (const one of pending.activities.values()) {
      expect(pending.activityById(one.activityId)?.activityId).toBe(one.activityId);
    }
    store(rows, pending);
    const restored = new PendingItems([...rows.values()]);
    const sorted = (map: { values(): Iterable<object> }): string[] =>
      [...map.values()].map((item) => JSON.stringify(item)).toSorted();
    expect(sorted(restored.activities)).toEqual(sorted(pending.activities));
    expect(sorted(restored.timers)).toEqual(sorted(pending.timers));
    expect(sorted(restored.children)).toEqual(sorted(pending.children));
    expect(restored.nextDeadline()?.at).toBe(pending.nextDeadline()?.at);
  });
});

test('what is changed after the deadlines were looked at counts once the change is saved', () => {
  const pending = new PendingItems();
  const added = activity(5, { scheduleToStartMs: 50, startToCloseMs: 10 });
  pending.activities.add(5, added);
  expect(pending.nextDeadline()?.at).toBe(50);
  added.startedTime = 70;
  pending.takeChanges();
  expect(pending.nextDeadline()?.at).toBe(80);
  expect(pending.hasDispatchable).toBe(false);
});

test('of deadlines at the same time the one that was asked for first comes first', () => {
  const pending = new PendingItems();
  pending.timers.add('b', { startedEventId: 9, fireAt: 50 });
  pending.timers.add('a', { startedEventId: 10, fireAt: 50 });
  pending.activities.add(8, activity(8, { scheduleToStartMs: 50 }));
  expect(pending.nextDeadline()).toMatchObject({ kind: 'activity-timeout', scheduledEventId: 8 });
  pending.activities.delete(8);
  expect(pending.nextDeadline()).toEqual({ at: 50, kind: 'timer', timerId: 'b' });
  pending.timers.delete('b');
  expect(pending.nextDeadline()).toEqual({ at: 50, kind: 'timer', timerId: 'a' });
});

test('only what was touched is written again', () => {
  const pending = new PendingItems();
  for (let event = 1; event <= 1000; event += 1) {
    pending.activities.add(event, activity(event, { activityId: `${event}`, scheduleToStartMs: event }));
  }
  expect(pending.takeChanges()).toHaveLength(1000);
  const edited = pending.activities.edit(500);
  if (edited) edited.startedTime = 7;
  pending.activities.delete(1);
  pending.activities.get(3);
  expect(pending.takeChanges().map(({ id: event, item }) => [event, item === undefined])).toEqual([
    [500, false],
    [1, true],
  ]);
  expect(pending.nextDeadline()?.at).toBe(2);
  expect(pending.takeChanges()).toEqual([]);
});
