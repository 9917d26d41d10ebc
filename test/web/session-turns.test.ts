import type { SessionEvent } from '../../web/client/api.ts';
import { marksOf, momentAt, momentsOf, nextLandmark } from '../../web/sessions/time/moments.ts';
import { screenshotsOf } from '../../web/sessions/time/screenshots.ts';
import { describeUse } from '../../web/sessions/turns/describe-use.ts';
import { pendingApprovals } from '../../web/sessions/turns/pending.ts';
import { turnsOf } from '../../web/sessions/turns/turns.ts';

const AT = '2026-01-01T00:00:00.000Z';

let count = 0;
beforeEach(() => {
  count = 0;
});

/** An event as the server sends it; its id is its place, `e1` for the first. */
function event(type: SessionEvent['type'], body: object = {}): SessionEvent {
  return { id: `e${++count}`, type, processed_at: AT, ...body } as SessionEvent;
}

function use(name: string, input: Record<string, unknown>, evaluated_permission = 'allow'): SessionEvent {
  return event('agent.tool_use', { name, input, evaluated_permission });
}

function result(tool_use_id: string, content: object[] = [], is_error = false): SessionEvent {
  return event('agent.tool_result', { tool_use_id, content, is_error });
}

const waitsFor = (...event_ids: string[]): SessionEvent =>
  event('session.status_idle', { stop_reason: { type: 'requires_action', event_ids } });
const answer = (tool_use_id: string, verdict: 'allow' | 'deny'): SessionEvent =>
  event('user.tool_confirmation', { tool_use_id, result: verdict });

test('a turn holds what was said and done until the session is idle, each tool use once', () => {
  const later = '2026-01-01T00:00:09.000Z';
  const { rows, rowOf } = turnsOf([
    event('user.message', { content: [] }),
    event('span.model_request_start'),
    use('bash', { command: 'ls' }),
    use('bash', { command: 'rm x' }, 'ask'),
    answer('e4', 'deny'),
    result('e3'),
    event('span.model_request_end', {
      model_request_start_id: 'e2',
      is_error: false,
      model_usage: {
        input_tokens: 10,
        output_tokens: 5,
        cache_read_input_tokens: 3,
        cache_creation_input_tokens: 2,
      },
    }),
    event('session.error', { error: {} }),
    event('session.status_idle', { stop_reason: { type: 'end_turn' }, processed_at: later }),
    event('user.message', { content: [] }),
    event('user.message', { content: [] }),
  ]);
  expect(rows).toMatchObject([
    { kind: 'turn', number: 1, startedAt: AT, endedAt: later, steps: 3, tokens: 20 },
    { kind: 'message', event: { id: 'e1' } },
    { kind: 'tool', use: { id: 'e3' }, result: { tool_use_id: 'e3' }, answer: undefined },
    { kind: 'tool', use: { id: 'e4' }, result: undefined, answer: { result: 'deny' } },
    { kind: 'error', event: { id: 'e8' } },
    { kind: 'turn', number: 2, endedAt: null },
    { kind: 'message', event: { id: 'e10' } },
    { kind: 'message', event: { id: 'e11' } },
  ]);
  expect(['e3', 'e6', 'e5'].map((id) => rows[rowOf.get(id) ?? -1]?.id)).toEqual(['e3', 'e3', 'e4']);
});

test('an action stands between the screen before it and the screen after it; a zoom is no screen', () => {
  const image = (url: string): object => ({ type: 'image', source: { type: 'url', url } });
  const { rows } = turnsOf([
    use('computer', { action: 'screenshot' }),
    result('e1', [image('/one')]),
    use('computer', { action: 'zoom', region: [0, 0, 5, 5] }),
    result('e3', [image('/zoomed')]),
    use('computer', { action: 'left_click', coordinate: [1, 2] }),
    result('e5', [image('/two')]),
  ]);
  expect(rows.at(-1)).toMatchObject({ before: { url: '/one' }, after: { url: '/two' } });
});

test('a takeover is one row, from its beginning to the screen that was handed back', () => {
  const { rows, rowOf } = turnsOf([
    event('sandbox.takeover_started', { takeover_id: 't' }),
    event('sandbox.takeover_input', { takeover_id: 't', inputs: [] }),
    event('sandbox.takeover_ended', {
      takeover_id: 't',
      reason: 'handed_back',
      duration_ms: 5000,
      content: [{ type: 'image', source: { type: 'url', url: '/after' } }],
    }),
  ]);
  expect(rows).toMatchObject([
    { kind: 'takeover', inputs: [{ id: 'e2' }], ended: { id: 'e3' }, after: { url: '/after' } },
  ]);
  expect(rowOf.get('e3')).toBe(0);
});

test('moments carry the newest picture and what can be jumped to', () => {
  const turns = turnsOf([
    event('user.message', { content: [] }),
    use('computer', { action: 'screenshot' }),
    result('e2', [{ type: 'image', source: { type: 'url', url: '/one' } }]),
    use('bash', { command: 'false' }),
    result('e4', [], true),
    use('bash', { command: 'rm x' }, 'ask'),
  ]);
  const moments = momentsOf(turns);
  expect(moments.map(({ id, landmark, shot }) => [id, landmark, shot?.url])).toEqual([
    ['e1', undefined, undefined],
    ['e2', undefined, '/one'],
    ['e4', 'error', '/one'],
    ['e6', 'approval', '/one'],
  ]);
  expect(momentAt(moments, turns, 'e5')).toBe(2);
  expect(momentAt(moments, turns, 'nothing')).toBeUndefined();
  expect(nextLandmark(moments, 0, 'approval')).toBe(3);
  expect(nextLandmark(moments, 3, 'approval')).toBeUndefined();
  expect(marksOf(moments)).toEqual([
    { landmark: 'error', percent: 66.75 },
    { landmark: 'approval', percent: 100 },
  ]);
});

test('every picture is a screenshot, named after what led to it', () => {
  const image = (url: string): object => ({ type: 'image', source: { type: 'url', url } });
  const shots = screenshotsOf([
    use('computer', { action: 'left_click', coordinate: [3, 4] }),
    result('e1', [{ type: 'text', text: 'clicked' }, image('/one'), image('/two')]),
    result('e0', [image('/three')]),
    result('e1', [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }]),
  ]);
  expect(shots).toEqual([
    { id: 'e2.1', event: 'e2', url: '/one', caption: 'left click at 3, 4', at: AT, whole: true },
    { id: 'e2.2', event: 'e2', url: '/two', caption: 'left click at 3, 4', at: AT, whole: true },
    { id: 'e3.0', event: 'e3', url: '/three', caption: 'Screenshot', at: AT, whole: true },
  ]);
});

test('what waits for an answer is what the newest status names and nobody answered', () => {
  const asked = [use('bash', { command: 'a' }, 'ask'), use('bash', { command: 'b' }, 'ask')];
  const ids = (events: SessionEvent[]): string[] => pendingApprovals(events).map(({ id }) => id);
  expect(ids(asked)).toEqual([]);
  const waiting = [...asked, waitsFor('e1', 'e2')];
  expect(ids(waiting)).toEqual(['e1', 'e2']);
  expect(ids([...waiting, answer('e1', 'allow')])).toEqual(['e2']);
  expect(ids([...waiting, answer('e1', 'allow'), event('session.status_running')])).toEqual([]);
  expect(ids([...waiting, event('user.message', { content: [] })])).toEqual(['e1', 'e2']);
});

test.each([
  ['bash', { command: 'echo hi' }, 'echo hi'],
  ['bash', { restart: true }, 'restart the shell'],
  ['bash', {}, 'bash'],
  ['str_replace_editor', { command: 'view', path: '/home/agent/a' }, 'view /home/agent/a'],
  ['computer', { action: 'mouse_move', coordinate: [10, 20] }, 'mouse move at 10, 20'],
  ['computer', { action: 'type', text: 'hello' }, 'type “hello”'],
  ['computer', { action: 7 }, 'computer'],
  ['weather', { city: 'Oslo' }, 'weather'],
])('%s %j reads “%s”', (name, input, text) => {
  expect(describeUse({ name, input })).toBe(text);
});
