import type { SessionEvent } from '../../web/client/api.ts';
import { costsOf, sumOf, totalOf } from '../../web/sessions/cost/cost.ts';
import { EventLog } from '../../web/sessions/event-log.ts';
import { markdownOf } from '../../web/sessions/export/markdown.ts';
import { momentOfStep, runAt, stepsOfMoments } from '../../web/sessions/machine/machine-moments.ts';
import { grantsOf, grantText } from '../../web/sessions/policy/grants.ts';
import { momentAt, momentsOf } from '../../web/sessions/time/moments.ts';
import { turnsOf } from '../../web/sessions/turns/turns.ts';
import type { Step } from '../../web/statechart/chart/step.ts';
import { Previews } from '../../web/sessions/previews.ts';
import { ansiSpans } from '../../web/sessions/tools/ansi.ts';
import { foundLines, foundPaths } from '../../web/sessions/tools/found.ts';
import { lineDiff } from '../../web/parts/line-diff.ts';
import { shownUse } from '../../web/sessions/tools/shown-use.ts';

/** The parts of a session's page that compute without a browser. */

function event(id: string, type: SessionEvent['type'], second: number, body: object = {}): SessionEvent {
  const processed_at = new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
  return { id, type, processed_at, ...body } as SessionEvent;
}

test('colours of a terminal become classes; what is rewritten or no text is left out', () => {
  const spans = ansiSpans(
    'a \u001b[1;31mred\u001b[0m\u001b[K \u001b[38;5;46mgreen\u001b[39m 10%\r\n50%\r100%\n\u001b]0;title\u0007end',
  );
  expect(spans).toEqual([
    { text: 'a ', classes: '' },
    { text: 'red', classes: 'ansi-red ansi-bold' },
    { text: ' ', classes: '' },
    { text: 'green', classes: 'ansi-green' },
    { text: ' 10%\n100%\n', classes: '' },
    { text: 'end', classes: '' },
  ]);
  expect(ansiSpans('\u001b[48;2;250;10;10;97mx')).toEqual([{ text: 'x', classes: 'ansi-white ansi-on-red' }]);
});

test('a diff keeps what stayed and puts the rest at its place', () => {
  const lines = lineDiff('a\nb\nc\nd\n', 'a\nc\nx\nd\n').map(({ kind, text }) => `${kind} ${text}`);
  expect(lines).toEqual(['same a', 'gone b', 'same c', 'new x', 'same d']);
  expect(lineDiff('', 'new')).toEqual([{ kind: 'new', text: 'new' }]);
  const [long, other] = ['x', 'y'].map((text) => Array.from({ length: 900 }, (_, i) => text + i).join('\n'));
  expect(lineDiff(long ?? '', other ?? '')).toHaveLength(1800);
});

test('a search is read by file', () => {
  expect(foundLines('/a.ts:3:const a = 1;\n/a.ts:9:a:b\n/b.ts:1:x\n[more]')).toEqual({
    files: [
      {
        path: '/a.ts',
        lines: [
          { number: 3, text: 'const a = 1;' },
          { number: 9, text: 'a:b' },
        ],
      },
      { path: '/b.ts', lines: [{ number: 1, text: 'x' }] },
    ],
    notes: ['[more]'],
  });
  expect(foundPaths('no matches')).toEqual({ files: [], notes: ['no matches'] });
});

test.each([
  ['bash', { command: 'ls' }, undefined, { kind: 'terminal', command: 'ls' }],
  [
    'computer',
    { action: 'left_click', coordinate: [1, 2] },
    undefined,
    { kind: 'pointer', to: { x: 1, y: 2 } },
  ],
  [
    'left_click_drag',
    { start_coordinate: [0, 1], coordinate: [2, 3] },
    'computer',
    { kind: 'pointer', from: { x: 0, y: 1 } },
  ],
  ['computer', { action: 'key', text: 'ctrl+s' }, undefined, { kind: 'keys', keys: 'ctrl+s' }],
  ['computer', { action: 'type', text: 'hi' }, undefined, { kind: 'typed', text: 'hi' }],
  [
    'edit',
    { file_path: '/a', old_string: 'x', new_string: '' },
    undefined,
    { kind: 'edit', before: 'x', after: '' },
  ],
  [
    'str_replace_editor',
    { command: 'create', path: '/a', file_text: 't' },
    undefined,
    { kind: 'write', text: 't' },
  ],
  ['read', { file_path: '/a', view_range: [7, 9] }, undefined, { kind: 'file', path: '/a', from: 7 }],
  ['grep', { pattern: 'x' }, undefined, { kind: 'grep', pattern: 'x' }],
  ['edit', { file_path: 3 }, undefined, { kind: 'other' }],
  ['weather', { city: 'Oslo' }, undefined, { kind: 'other' }],
])('%s %j of the toolset %s is shown as what it is', (name, input, toolset_name, shown) => {
  expect(shownUse({ name, input, toolset_name: toolset_name ?? null })).toMatchObject(shown);
});

test('costs are those of each turn, and the time is what it went into', () => {
  const usage = (input_tokens: number): object => ({
    input_tokens,
    output_tokens: 2,
    cache_read_input_tokens: 30,
    cache_creation_input_tokens: 4,
  });
  const costs = costsOf([
    event('m1', 'user.message', 0),
    event('s1', 'span.model_request_start', 1),
    event('s1e', 'span.model_request_end', 4, {
      model_request_start_id: 's1',
      is_error: false,
      model_usage: usage(10),
    }),
    event('u1', 'agent.tool_use', 4),
    event('i1', 'session.status_idle', 4, { stop_reason: { type: 'requires_action', event_ids: ['u1'] } }),
    event('c1', 'user.tool_confirmation', 14, { tool_use_id: 'u1', result: 'allow' }),
    event('r1', 'agent.tool_result', 16, { tool_use_id: 'u1' }),
    event('i2', 'session.status_idle', 17, { stop_reason: { type: 'end_turn' } }),
    event('m2', 'user.message', 20),
    event('s2', 'span.model_request_start', 20),
    event('s2e', 'span.model_request_end', 21, {
      model_request_start_id: 's2',
      is_error: true,
      model_usage: usage(1),
    }),
  ]);
  expect(costs).toMatchObject([
    {
      turn: 1,
      event: 'm1',
      input: 10,
      output: 2,
      cacheRead: 30,
      cacheWritten: 4,
      requests: 1,
      failed: 0,
      time: { model: 3000, tools: 2000, person: 10_000 },
    },
    { turn: 2, event: 'm2', input: 1, requests: 1, failed: 1, time: { model: 1000, tools: 0, person: 0 } },
  ]);
  const sum = sumOf(costs);
  expect([sum.input, sum.requests, sum.time.model, totalOf(sum)]).toEqual([11, 2, 4000, 83]);
});

test('the list and the stream make one log, whichever came first', () => {
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((id, second) => event(id, 'agent.message', second));
  const ids = (log: EventLog): string =>
    log
      .all()
      .map(({ id }) => id)
      .join('');
  if (!a || !b || !c || !d || !e) throw new Error('five events');
  const log = new EventLog();
  log.beginList();
  expect(log.add(c)).toBe(true);
  log.addPage([a, b], false);
  expect(ids(log)).toBe('abc');
  log.addPage([c], true);
  expect(log.add(c)).toBe(false);
  log.add(e);
  expect(ids(log)).toBe('abce');
  // After a cut: d was missed, and is put where it belongs.
  log.beginList();
  log.addPage([a, b], false);
  expect(ids(log)).toBe('abce');
  log.addPage([c, d, e], true);
  expect(ids(log)).toBe('abcde');
});

test('a preview grows until its event is there; a thought stays', () => {
  const previews = new Previews();
  previews.take({ type: 'event_start', event: { id: 'm', type: 'agent.message' } });
  previews.take({
    type: 'event_delta',
    event_id: 'm',
    delta: { type: 'content_delta', content: { text: 'Hel' } },
  });
  previews.take({
    type: 'event_delta',
    event_id: 'm',
    delta: { type: 'content_delta', content: { text: 'lo' } },
  });
  previews.take({ type: 'event_start', event: { id: 't', type: 'agent.thinking' } });
  expect(previews.all().get('m')?.text).toBe('Hello');
  previews.replaced('m');
  previews.replaced('t');
  expect([...previews.all().keys()]).toEqual(['t']);
  previews.dropUnfinished(() => false);
  expect(previews.all().size).toBe(0);
});

test('a conversation as Markdown holds what was said, done and answered', () => {
  const text = markdownOf('Demo', [
    event('m', 'user.message', 0, { content: [{ type: 'text', text: 'Do it' }] }),
    event('u', 'agent.tool_use', 1, {
      name: 'bash',
      input: { command: 'cat a.md' },
      evaluated_permission: 'allow',
    }),
    event('r', 'agent.tool_result', 2, {
      tool_use_id: 'u',
      is_error: false,
      content: [{ type: 'text', text: '```js\n```' }],
    }),
    event('a', 'agent.message', 3, { content: [{ type: 'text', text: 'Done' }] }),
  ]);
  expect(text).toBe(
    '# Demo\n\n## Turn 1 · 2026-01-01T00:00:00.000Z\n\n**Person:**\n\nDo it\n\n- `bash`\n\n```\ncat a.md\n```\n\n````\n```js\n```\n````\n\n**Agent:**\n\nDone\n',
  );
});

test('a moment is at the step in which its tool runs, else at the step that followed from it', () => {
  const turns = turnsOf([
    event('m', 'user.message', 0, { content: [] }),
    event('a', 'agent.tool_use', 10, { name: 'bash', input: {} }),
    event('b', 'agent.tool_use', 10, { name: 'bash', input: {} }),
    event('ra', 'agent.tool_result', 14, { tool_use_id: 'a' }),
    event('rb', 'agent.tool_result', 18, { tool_use_id: 'b' }),
    event('s', 'agent.message', 20, { content: [] }),
  ]);
  const step = (number: number, second: number, value: unknown, ...queue: string[]): Step =>
    ({
      number,
      at: Date.UTC(2026, 0, 1) + second * 1000 + 5,
      snapshot: { status: 'active', value, context: { queue: queue.map((id) => ({ id })) } },
    }) as unknown as Step;
  const steps = [
    step(1, -1, 'idle'),
    step(2, 0, 'request'),
    step(3, 10, { awaiting_approval: 'asking' }, 'a', 'b'),
    step(4, 12, { tool_use: 'running' }, 'a', 'b'),
    step(5, 13, 'tool_result', 'a', 'b'),
    step(6, 14, { tool_use: 'running' }, 'b'),
    step(7, 18, 'request'),
    step(8, 20, 'idle'),
  ];
  const moments = momentsOf(turns);
  const places = stepsOfMoments(moments, turns.rows, steps);
  expect(moments.map(({ id }, index) => [id, places[index]])).toEqual([
    ['m', 2],
    ['a', 4],
    ['b', 6],
    ['s', 8],
  ]);
  expect([1, 2, 3, 4, 5, 6, 7, 8].map((number) => moments[momentOfStep(places, number)]?.id).join('')).toBe(
    'mmmaabbs',
  );
  expect(stepsOfMoments(moments, turns.rows, [])).toEqual([0, 0, 0, 0]);
  // An address may name a time, too.
  expect(momentAt(moments, turns, '2026-01-01T00:00:12.000Z')).toBe(2);
  expect(momentAt(moments, turns, '2026-01-01T00:00:00.500Z')).toBe(0);
  expect(momentAt(moments, turns, '2026-01-02T00:00:00.000Z')).toBeUndefined();
});

test('the run of a chain is the one that was under way', () => {
  const runs = [{ start_time: '2026-01-01T00:00:09Z' }, { start_time: '2026-01-01T00:00:01Z' }];
  expect(
    [0, 1, 8, 9, 99].map((second) =>
      runs.indexOf(runAt(runs, Date.UTC(2026, 0, 1) + second * 1000) ?? { start_time: '' }),
    ),
  ).toEqual([1, 1, 1, 0, 0]);
  expect(runAt([], 0)).toBeUndefined();
});

test('a grant is said as exactly what it allows, and a withdrawn one as such', () => {
  const bash = { tool: 'bash', action: 'command' } as const;
  expect(
    (
      [
        { ...bash, commands: ['ls'] },
        { ...bash, commands: ['cd a', 'npm test'] },
        { ...bash, command_prefix: 'git push' },
        { tool: 'bash', action: 'restart' },
        { tool: 'editor', action: 'str_replace', path: '/a/b.txt' },
        { tool: 'editor', action: 'view', path: '/a/**' },
        { tool: 'web', action: 'web_fetch', host: 'a.org' },
        { tool: 'computer', action: 'left_click' },
      ] as const
    ).map((grant) => grantText(grant)),
  ).toEqual([
    'exactly the command “ls”',
    'exactly the commands “cd a”, “npm test”',
    'every command that begins with “git push” and redirects nothing',
    'restarting the shell',
    'str replace of the file /a/b.txt',
    'view of all files below /a/',
    'web fetch of every page of a.org',
    'every left click, wherever on the screen',
  ]);
  const grant = { ...bash, commands: ['ls'] };
  const given = grantsOf([
    event('g', 'user.tool_confirmation', 0, { tool_use_id: 'u', result: 'allow', grant }),
    event('h', 'user.tool_confirmation', 1, { tool_use_id: 'v', result: 'allow', grant }),
    event('i', 'user.tool_confirmation', 2, { tool_use_id: 'w', result: 'allow' }),
    event('x', 'user.grant_withdrawn', 3, { grant_id: 'g' }),
  ]);
  expect(given.map(({ id, withdrawn }) => [id, withdrawn])).toEqual([
    ['g', true],
    ['h', false],
  ]);
});
