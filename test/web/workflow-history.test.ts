import { argumentsOf } from '../../web/workflows/actions/arguments.ts';
import { resetPointsOf } from '../../web/workflows/actions/reset-points.ts';
import { readHistoryFile } from '../../web/workflows/file/read-history-file.ts';
import { fieldsOf } from '../../web/workflows/history/event-fields.ts';
import { isFound, isUsual } from '../../web/workflows/history/group-filter.ts';
import { closedAt, closeOpen, failureIn, groupEvents, Grouping } from '../../web/workflows/history/groups.ts';
import type { HistoryEvent } from '../../web/workflows/history/history-event.ts';
import { payloadOf } from '../../web/workflows/payloads/payload.ts';

/** Histories as they are shown: what belongs together, what an event says, files, payloads. */

const BEGINNING = Date.parse('2026-01-01T00:00:00Z');

/** An event a second after the one before it. */
function event(id: number, type: string, attributes: object = {}): HistoryEvent {
  const words = type.toLowerCase().split('_');
  const name = words
    .map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('');
  return {
    eventId: String(id),
    eventTime: new Date(BEGINNING + id * 1000).toISOString(),
    eventType: `EVENT_TYPE_${type}`,
    [`${name}EventAttributes`]: attributes,
  };
}

const HISTORY = [
  event(1, 'WORKFLOW_EXECUTION_STARTED', { workflowType: { name: 'order' }, attempt: 1 }),
  event(2, 'WORKFLOW_TASK_SCHEDULED', { attempt: 1 }),
  event(3, 'WORKFLOW_TASK_STARTED', { scheduledEventId: '2' }),
  event(4, 'WORKFLOW_TASK_COMPLETED', { scheduledEventId: '2', startedEventId: '3' }),
  event(5, 'ACTIVITY_TASK_SCHEDULED', {
    activityId: '1',
    activityType: { name: 'fetch' },
    workflowTaskCompletedEventId: '4',
  }),
  event(6, 'TIMER_STARTED', { timerId: '2', startToFireTimeout: '3s' }),
  event(7, 'START_CHILD_WORKFLOW_EXECUTION_INITIATED', {
    workflowId: 'child',
    workflowType: { name: 'kid' },
  }),
  event(8, 'ACTIVITY_TASK_STARTED', { scheduledEventId: '5', attempt: 3 }),
  event(9, 'ACTIVITY_TASK_FAILED', {
    scheduledEventId: '5',
    startedEventId: '8',
    failure: { message: 'Activity task failed', cause: { message: 'no luck' } },
  }),
  event(10, 'WORKFLOW_EXECUTION_SIGNALED', { signalName: 'pay', externalInitiatedEventId: '0' }),
  event(11, 'CHILD_WORKFLOW_EXECUTION_STARTED', { initiatedEventId: '7' }),
  event(12, 'TIMER_FIRED', { timerId: '2', startedEventId: '6' }),
  event(13, 'WORKFLOW_EXECUTION_UPDATE_ACCEPTED', { acceptedRequest: { input: { name: 'rename' } } }),
  event(14, 'WORKFLOW_EXECUTION_UPDATE_COMPLETED', { acceptedEventId: '13' }),
];

test('what belongs together is one group', () => {
  const groups = groupEvents(HISTORY);
  // The same comes of events that are added one by one.
  const grouping = new Grouping();
  const grown = HISTORY.map((each) => grouping.add([each]));
  expect(grown.at(-1)).toEqual(groups);
  expect(grown[4]).toEqual(groupEvents(HISTORY.slice(0, 5)));
  const told = groups.map(({ id, kind, label, detail, state, events }) => [
    id,
    kind,
    label,
    detail,
    state,
    events.map(({ eventId }) => Number(eventId)),
  ]);
  expect(told).toEqual([
    [1, 'run', 'Workflow execution started', 'order', 'note', [1]],
    [2, 'task', 'Workflow task', undefined, 'completed', [2, 3, 4]],
    [5, 'activity', 'fetch', '1', 'failed', [5, 8, 9]],
    [6, 'timer', 'Timer of 3.0 s', '2', 'completed', [6, 12]],
    [7, 'child', 'kid', 'child', 'open', [7, 11]],
    [10, 'signal', 'pay', undefined, 'note', [10]],
    [13, 'update', 'rename', undefined, 'completed', [13, 14]],
  ]);
  const [, task, fetch, , child] = groups;
  expect(fetch).toMatchObject({
    attempts: 3,
    start: BEGINNING + 5000,
    taken: BEGINNING + 8000,
    end: BEGINNING + 9000,
  });
  expect(fetch === undefined ? '' : failureIn(fetch)).toBe('no luck');
  expect(child?.end).toBeUndefined();
  expect(task === undefined || isUsual(task)).toBe(false);
  expect(groups.filter((group) => isFound(group, 'no LUCK')).map(({ id }) => id)).toEqual([5]);
});

test('nothing of a run that has closed is open', () => {
  const closed = [...HISTORY, event(15, 'WORKFLOW_EXECUTION_TERMINATED', { reason: 'enough' })];
  expect(closedAt(HISTORY)).toBeUndefined();
  const groups = closeOpen(groupEvents(closed), closedAt(closed));
  expect(groups.find(({ kind }) => kind === 'child')).toMatchObject({
    state: 'canceled',
    end: BEGINNING + 15_000,
  });
  expect(groups.at(-1)).toMatchObject({ kind: 'run', state: 'canceled' });
  expect(failureIn(groups.at(-1) ?? groups[0]!)).toBe('enough');
});

test('a history that begins in the middle, or is of older tools, is grouped all the same', () => {
  expect(groupEvents(HISTORY.slice(8)).map(({ id, kind }) => [id, kind])).toEqual([
    [9, 'activity'],
    [10, 'signal'],
    [11, 'child'],
    [12, 'timer'],
    [13, 'update'],
  ]);
  const older = HISTORY.map((held) => {
    const words = held.eventType.slice('EVENT_TYPE_'.length).toLowerCase().split('_');
    return { ...held, eventType: words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') };
  });
  expect(groupEvents(older).map(({ id, kind }) => [id, kind])).toEqual(
    groupEvents(HISTORY).map(({ id, kind }) => [id, kind]),
  );
});

test('fifty thousand events are grouped', () => {
  const events: HistoryEvent[] = [];
  for (let id = 1; id < 50_000; id += 3) {
    events.push(
      event(id, 'ACTIVITY_TASK_SCHEDULED', { activityId: String(id), activityType: { name: 'a' } }),
      event(id + 1, 'ACTIVITY_TASK_STARTED', { scheduledEventId: String(id), attempt: 1 }),
      event(id + 2, 'ACTIVITY_TASK_COMPLETED', { scheduledEventId: String(id) }),
    );
  }
  expect(groupEvents(events)).toHaveLength(events.length / 3);
});

test('an event by its fields', () => {
  const json = { metadata: { encoding: btoa('json/plain') }, data: btoa('{"order":7}') };
  const fields = fieldsOf(
    event(5, 'ACTIVITY_TASK_SCHEDULED', {
      activityType: { name: 'fetch' },
      startToCloseTimeout: '60s',
      heartbeatTimeout: '0s',
      input: { payloads: [json] },
      memo: { fields: { note: json } },
      lastFailure: { message: 'no luck' },
      retryPolicy: { maximumAttempts: 3 },
      retryState: 'RETRY_STATE_IN_PROGRESS',
    }),
  );
  expect(fields).toEqual([
    { name: 'Activity type', kind: 'text', text: 'fetch' },
    { name: 'Start to close timeout', kind: 'text', text: '60 s' },
    {
      name: 'Input',
      kind: 'payloads',
      payloads: [expect.objectContaining({ kind: 'json', value: { order: 7 } })],
    },
    { name: 'Memo: note', kind: 'payloads', payloads: [expect.objectContaining({ value: { order: 7 } })] },
    { name: 'Last failure', kind: 'failure', failure: { message: 'no luck' } },
    { name: 'Retry policy', kind: 'json', value: { maximumAttempts: 3 } },
    { name: 'Retry state', kind: 'text', text: 'Retry state in progress' },
  ]);
});

test.each([
  ['json/plain', '"é"', { kind: 'json', value: 'é', size_bytes: 4 }],
  ['json/protobuf', '{}', { kind: 'json', value: {} }],
  ['json/plain', '{', { kind: 'unknown', error: expect.any(String) as unknown }],
  ['binary/null', '', { kind: 'null', size_bytes: 0 }],
  ['binary/plain', 'abc', { kind: 'binary', base64: 'YWJj', size_bytes: 3 }],
  ['binary/encrypted', 'abc', { kind: 'unknown', error: 'Nothing here decodes binary/encrypted.' }],
])('a payload of a file: %s %s', (encoding, text, payload) => {
  const data = Buffer.from(text).toString('base64');
  expect(payloadOf({ metadata: { encoding: btoa(encoding) }, data })).toMatchObject(payload);
});

test('files are read, and refused with what is wrong', () => {
  expect(readHistoryFile(JSON.stringify({ events: HISTORY }))).toEqual(HISTORY);
  expect(readHistoryFile(JSON.stringify({ history: { events: HISTORY } }))).toEqual(HISTORY);
  expect(() => readHistoryFile('x')).toThrow(/^This is no JSON/);
  expect(() => readHistoryFile('{}')).toThrow(/^events: Expected a list/);
  expect(() => readHistoryFile('[{"eventId":"1","eventType":"a"}]')).toThrow('events[0].eventTime: Expected');
});

test('arguments are a JSON list', () => {
  expect(argumentsOf(' ')).toEqual({ args: [] });
  expect(argumentsOf('[1, "a"]')).toEqual({ args: [1, 'a'] });
  expect(argumentsOf('{}')).toEqual({ fault: expect.stringContaining('list') as unknown });
  expect(argumentsOf('[')).toEqual({ fault: expect.stringContaining('no JSON') as unknown });
});

test('a run goes on from the end of a workflow task', () => {
  expect(resetPointsOf(HISTORY)).toEqual([{ id: 4, label: '4, after workflow execution started' }]);
});
