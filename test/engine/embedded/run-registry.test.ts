import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkflowExecutionStatus } from '../../../engine/embedded/protocol/proto.ts';
import { HistoryStore } from '../../../engine/embedded/history/history-store.ts';
import type { RunRecord } from '../../../engine/embedded/mutable-state/record.ts';
import { RunRegistry } from '../../../engine/embedded/mutable-state/run-registry.ts';
import { CommitGroup } from '../../../engine/embedded/persistence/commit-group.ts';
import { type SqliteDatabase, openDatabase } from '../../../engine/embedded/persistence/database.ts';
import { long } from '../../../engine/embedded/protocol/values.ts';
import { RunStore } from '../../../engine/embedded/mutable-state/run-store.ts';

let folder: string;
let db: SqliteDatabase;
let group: CommitGroup;
let history: HistoryStore;
let runs: RunRegistry;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-registry-'));
  db = openDatabase(join(folder, 'engine.db'), 'normal');
  group = new CommitGroup(
    db,
    (error) => {
      throw error;
    },
    () => undefined,
  );
  history = new HistoryStore(db, group);
  runs = new RunRegistry({
    group,
    store: new RunStore(db),
    history,
    observer: {
      saved: () => undefined,
      deleted: () => undefined,
      committed: () => undefined,
      perform: () => undefined,
    },
    now: Date.now,
    capacity: 2,
  });
});
afterEach(() => {
  group.close();
  db.close();
  rmSync(folder, { recursive: true });
});

const ref = (runId: string) => ({ namespace: 'n', workflowId: 'w', runId });

function record(): RunRecord {
  return {
    status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING,
    workflowType: 't',
    taskQueue: 'q',
    firstRunId: 'r',
    originalRunId: 'r',
    startRequestId: '',
    attempt: 1,
    startTime: 0,
    executionTime: 0,
    executionTimeoutMs: 0,
    runTimeoutMs: 0,
    taskTimeoutMs: 1000,
    root: { workflowId: 'w', runId: 'r' },
    cancelRequested: false,
    nextEventId: 1,
    historySizeBytes: 0,
    stateTransitions: 0,
    lastStartedEventId: 0,
    externals: {},
    updates: {},
    signalRequestIds: [],
    buffered: [],
    transfers: [],
  };
}

test('a run dropped from memory comes back as it was committed', () => {
  for (const id of ['a', 'b', 'c', 'd']) {
    runs.transact(() => {
      const state = runs.create(ref(id), record());
      state.append({ timerFiredEventAttributes: { timerId: id } });
    });
    group.flush();
  }
  expect(runs.cached).toBeLessThanOrEqual(2);
  expect(runs.peek(ref('a'))?.record.nextEventId).toBe(2);
  expect(runs.currentRunId('n', 'w')).toBe('d');
});

test('a change that fails half way is forgotten, and what was changed before it in the same turn is kept', () => {
  runs.transact(() => runs.create(ref('a'), record()));
  runs.transact(() => {
    const state = runs.edit(ref('a'));
    if (state) state.record.cancelRequested = true;
  });
  const failing = (): void =>
    runs.transact(() => {
      const state = runs.edit(ref('a'));
      state?.append({ timerFiredEventAttributes: { timerId: 'x' } });
      runs.create(ref('b'), record());
      throw new Error('half way');
    });
  expect(failing).toThrow('half way');
  expect(runs.peek(ref('a'))?.record).toMatchObject({ cancelRequested: true, nextEventId: 1 });
  expect(runs.peek(ref('b'))).toBeUndefined();
  expect(runs.currentRunId('n', 'w')).toBe('a');
});

test('what is pending goes back with a change that failed, also when it was written earlier in the same turn', () => {
  const timer = (fireAt: number) => ({ startedEventId: 1, fireAt });
  const fires = (): number[] =>
    ['kept', 'moved', 'ended', 'new'].map((id) => runs.peek(ref('a'))?.pending.timers.get(id)?.fireAt ?? 0);
  runs.transact(() => {
    const { timers } = runs.create(ref('a'), record()).pending;
    for (const id of ['kept', 'moved', 'ended']) timers.add(id, timer(5));
  });
  runs.transact(() => runs.edit(ref('a'))?.pending.timers.add('moved', timer(7)));
  const failing = (): void =>
    runs.transact(() => {
      const state = runs.edit(ref('a'));
      state?.pending.timers.add('moved', timer(1));
      state?.pending.timers.add('new', timer(1));
      state?.pending.timers.delete('ended');
      throw new Error('half way');
    });
  expect(failing).toThrow('half way');
  expect(fires()).toEqual([5, 7, 5, 0]);
  runs.transact(() => runs.edit(ref('a'))?.pending.timers.delete('ended'));
  group.flush();
  runs.forgetAll();
  expect(fires()).toEqual([5, 7, 0, 0]);
});

test('a run that is removed in the turn of its last change leaves nothing behind', () => {
  const { key } = runs.transact(() => {
    const state = runs.create(ref('a'), record());
    state.pending.timers.add('t', { startedEventId: 1, fireAt: 5 });
    return state;
  });
  runs.transact(() => runs.delete(ref('a'), key));
  group.flush();
  expect(runs.peek(ref('a'))).toBeUndefined();
  const left = ['runs', 'pending_items', 'history', 'current_runs'].flatMap((table) =>
    db.prepare(`SELECT * FROM ${table}`).all(),
  );
  expect(left).toEqual([]);
});

test('a run with uncommitted changes is never dropped from memory', () => {
  for (const id of ['a', 'b', 'c', 'd']) runs.transact(() => runs.create(ref(id), record()));
  expect(runs.cached).toBe(4);
  expect(runs.peek(ref('a'))?.record.status).toBe(WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING);
});

test('a run that was looked up by a task token is named by nothing but its ids', () => {
  for (const id of ['a', 'b', 'c']) {
    runs.transact(() => runs.create(ref(id), record()));
    group.flush();
  }
  const token = { ...ref('a'), kind: 'activity', fence: 'f' };
  expect(runs.peek(token)?.ref).toEqual(ref('a'));
});

test('a run cannot be changed outside a transaction', () => {
  runs.transact(() => runs.create(ref('a'), record()));
  expect(() => runs.edit(ref('a'))).toThrow(/inside a transaction/);
});

test('the events that are kept in memory are bounded over all runs, and all can be read', () => {
  const details = { payloads: [{ data: new Uint8Array(60_000) }] };
  const keys = Array.from({ length: 300 }, (_, index) => index + 1);
  for (const key of keys) {
    const events = [{ eventId: long(1), workflowExecutionSignaledEventAttributes: { input: details } }];
    group.transact(() => history.append(key, { firstEventId: 1, lastEventId: 1, events }));
  }
  expect(history.keptBytes).toBeGreaterThan(7 * 1024 * 1024);
  expect(history.keptBytes).toBeLessThanOrEqual(8 * 1024 * 1024);
  for (const key of keys) expect(history.read(key, 1, 1).events).toHaveLength(1);
  for (const key of keys) history.forget(key);
  expect(history.keptBytes).toBe(0);
});

test('nothing is kept of the events of a closed run', () => {
  const state = runs.transact(() => {
    const created = runs.create(ref('a'), record());
    created.append({ workflowExecutionSignaledEventAttributes: { signalName: 'one' } });
    return created;
  });
  group.flush();
  expect(history.keptBytes).toBeGreaterThan(0);
  runs.transact(() => {
    const edited = runs.edit(ref('a'));
    if (edited) edited.record.status = WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED;
    edited?.append({ workflowExecutionCompletedEventAttributes: {} });
  });
  group.flush();
  expect(history.keptBytes).toBe(0);
  expect(history.read(state.key, 1, 10).events).toHaveLength(2);
});

test('a page of history holds as many events as were asked for, also of batches with one each', () => {
  for (let id = 1; id <= 300; id += 1) {
    const events = [{ eventId: long(id), timerFiredEventAttributes: { timerId: `${id}` } }];
    group.transact(() => history.append(1, { firstEventId: id, lastEventId: id, events }));
  }
  history.forget(1);
  const first = history.read(1, 1, 256);
  expect([first.events.length, first.nextEventId]).toEqual([256, 257]);
  const rest = history.read(1, 257, 256);
  expect([rest.events.length, rest.nextEventId]).toEqual([44, undefined]);
  const newest = history.readReverse(1, 300, 100);
  expect([newest.events.length, newest.nextEventId]).toEqual([100, 200]);
});
