import type { SessionEvent } from '../../web/client/api.ts';
import { describeUse, pendingApprovals, screenshotsOf, timelineOf } from '../../web/sessions/timeline.ts';

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

test('a tool use stands once, where it was asked for, with what came of it', () => {
  const items = timelineOf([
    event('user.message', { content: [] }),
    event('span.model_request_start'),
    use('bash', { command: 'ls' }),
    use('bash', { command: 'rm x' }, 'ask'),
    answer('e4', 'deny'),
    result('e3'),
    event('session.status_running'),
    event('session.error', { error: {} }),
  ]);
  expect(items).toMatchObject([
    { kind: 'event', event: { type: 'user.message' } },
    { kind: 'tool', use: { id: 'e3' }, result: { tool_use_id: 'e3' }, verdict: undefined },
    { kind: 'tool', use: { id: 'e4' }, result: undefined, verdict: 'deny' },
    { kind: 'event', event: { type: 'session.error' } },
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
    { id: 'e2.1', url: '/one', caption: 'left click at 3, 4', at: AT },
    { id: 'e2.2', url: '/two', caption: 'left click at 3, 4', at: AT },
    { id: 'e3.0', url: '/three', caption: 'Screenshot', at: AT },
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
