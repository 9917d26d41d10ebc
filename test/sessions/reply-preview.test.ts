import { accumulateManagedAgentsEvent } from '@anthropic-ai/sdk/lib/sessions/accumulate.js';
import { messageEvents, type Message } from '../../messages/index.ts';
import { replyEvents, ReplyPreview, type NewEvent } from '../../sessions/index.ts';
import type { LivePart } from '../../sessions/replies/live-part.ts';
import { seeded } from '../support/seeded.ts';

const TOOLS = [
  { type: 'bash_20241022', name: 'bash', permission_policy: { type: 'always_allow' } },
  { type: 'custom', name: 'weather', description: 'd', input_schema: { type: 'object' } },
] as never;

const idOf = (index: number): string => `sevt_${index}`;

function previewOf(content: Message['content']): LivePart[] {
  const parts: LivePart[] = [];
  const preview = new ReplyPreview(TOOLS, idOf, (part) => parts.push(part));
  const message = { type: 'message', role: 'assistant', id: 'msg_1', content, usage: {} } as never;
  for (const event of messageEvents(message)) preview.take(event);
  return parts;
}

const text = (words: string) => ({ type: 'text', text: words, citations: null });
const thinking = (words: string) => ({ type: 'thinking', thinking: words, signature: 's' });
const use = (name: string, input: object) => ({ type: 'tool_use', id: `toolu_${name}`, name, input });

/** The events that a client assembles from previews: texts by the SDK's helper, the rest from the pieces. */
function gathered(parts: readonly LivePart[]): { id: string; type: string; holds: unknown }[] {
  const messages = new Map<string, ReturnType<typeof accumulateManagedAgentsEvent>>();
  const texts = new Map<string, string>();
  const started: { id: string; type: string }[] = [];
  for (const { event } of parts) {
    const id = event.type === 'event_start' ? event.event.id : event.event_id;
    if (event.type === 'event_start') started.push({ id, type: event.event.type });
    if (started.find((each) => each.id === id)?.type === 'agent.message')
      messages.set(id, accumulateManagedAgentsEvent(messages.get(id), event as never));
    else if (event.type === 'event_delta') {
      const { delta } = event;
      const piece =
        delta.type === 'thinking_delta'
          ? delta.thinking
          : delta.type === 'input_json_delta'
            ? delta.partial_json
            : '';
      texts.set(id, (texts.get(id) ?? '') + piece);
    }
  }
  return started.map(({ id, type }) => ({
    id,
    type,
    holds:
      type === 'agent.message'
        ? messages.get(id)?.content
        : type === 'agent.thinking'
          ? (texts.get(id) ?? '')
          : (JSON.parse(texts.get(id) ?? '{}') as unknown),
  }));
}

function appended(content: Message['content']): { id: string; type: string; holds: unknown }[] {
  return replyEvents({ id: 'msg_1', content }, 1, TOOLS).map((event: NewEvent, index) => ({
    id: idOf(index),
    type: event.type,
    holds:
      event.type === 'agent.message'
        ? event.body.content
        : event.type === 'agent.thinking'
          ? event.internal?.thinking?.type === 'thinking'
            ? event.internal.thinking.thinking
            : ''
          : 'input' in event.body
            ? event.body.input
            : null,
  }));
}

test('previews have the ids and the content of the events that are appended', () => {
  const long = 'A sentence that is cut. '.repeat(60);
  const content = [
    text(' \n'),
    thinking('Hm.'),
    text('\n '),
    text('One.'),
    text(''),
    text(long),
    use('bash', { command: long }),
    text(' '),
    use('weather', { city: 'Ulm' }),
    use('unknown', {}),
    text('\n\nLast.'),
  ] as never;
  expect(gathered(previewOf(content))).toEqual(appended(content));
  expect(appended(content).map(({ type }) => type)).toEqual([
    'agent.thinking',
    'agent.message',
    'agent.tool_use',
    'agent.custom_tool_use',
    'agent.tool_use',
    'agent.message',
  ]);
});

function pick<T>(random: () => number, choices: readonly T[]): T {
  const choice = choices[Math.floor(random() * choices.length)];
  if (choice === undefined) throw new Error('nothing to choose from');
  return choice;
}

test('the same holds for any reply', () => {
  const random = seeded(7);
  for (let round = 0; round < 500; round += 1) {
    const content = Array.from({ length: Math.floor(random() * 7) }, () =>
      pick(random, [
        () => text(pick(random, ['', ' ', '\n', 'a', ' b ', 'c'.repeat(1000)])),
        () => thinking(pick(random, ['', 'why'])),
        () => use(pick(random, ['bash', 'weather', 'none']), pick(random, [{}, { a: [1, 'x'.repeat(900)] }])),
      ])(),
    ) as never;
    expect(gathered(previewOf(content))).toEqual(appended(content));
  }
});

test('an input that came whole with the beginning of its block is told of too', () => {
  const parts: LivePart[] = [];
  const preview = new ReplyPreview(TOOLS, idOf, (part) => parts.push(part));
  const content_block = { ...use('bash', { command: 'ls' }) } as never;
  preview.take({ type: 'content_block_start', index: 0, content_block });
  preview.take({ type: 'content_block_stop', index: 0 });
  expect(gathered(parts)).toEqual([{ id: 'sevt_0', type: 'agent.tool_use', holds: { command: 'ls' } }]);
});
