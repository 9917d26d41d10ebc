import { ProviderUnavailableError } from '../../../messages/api/errors.ts';
import { collectMessage } from '../../../messages/stream/collect-message.ts';
import type { StreamEvent } from '../../../messages/api/api-types.ts';
import {
  eventsOf,
  message,
  text,
  thinking,
  toolUse,
  type WireEvent,
} from '../../support/anthropic-answers.ts';

const collect = (events: readonly unknown[]): ReturnType<typeof collectMessage> =>
  collectMessage(events as readonly StreamEvent[]);

/** As the upstream's wire has it, without the pings that no event is. */
const wire = (...content: Parameters<typeof message>): WireEvent[] =>
  eventsOf(message(...content)).filter(({ type }) => type !== 'ping');

const full = [thinking('Let me see.'), text('Looking.'), toolUse('toolu_1', 'bash', { command: 'ls "a b"' })];

test('the counts of the end replace those of the start, and those it leaves out stay', async () => {
  const events = wire('Hello.');
  const counted = events.map((event) =>
    event.type === 'message_delta'
      ? { ...event, usage: { output_tokens: 77, input_tokens: 31, cache_read_input_tokens: null } }
      : event,
  );
  expect((await collect(counted)).usage).toMatchObject({
    input_tokens: 31,
    output_tokens: 77,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  });
});

test('several message_delta are taken one after the other', async () => {
  const events = wire('Hello.');
  const early = { type: 'message_delta', delta: { stop_reason: null }, usage: { output_tokens: 3 } };
  expect(await collect([...events.slice(0, -2), early, ...events.slice(-2)])).toMatchObject({
    stop_reason: 'end_turn',
    usage: { output_tokens: 12 },
  });
});

test('blocks as an upstream sends them become the message', async () => {
  expect((await collect(wire(full))).content).toEqual(message(full).content);
});

test('what is not known yet is passed over: events, deltas and blocks', async () => {
  const events = wire('Hello.');
  const at = events.findIndex(({ type }) => type === 'content_block_stop');
  const news = [
    { type: 'content_block_delta', index: 0, delta: { type: 'glow_delta', glow: 1 } },
    { type: 'something_new', of: 'tomorrow' },
  ];
  const block = [
    { type: 'content_block_start', index: 1, content_block: { type: 'glow', strength: 9 } },
    { type: 'content_block_stop', index: 1 },
  ];
  const { content } = await collect([
    ...events.slice(0, at),
    ...news,
    ...events.slice(at, at + 1),
    ...block,
    ...events.slice(at + 1),
  ]);
  expect(content).toEqual([text('Hello.'), { type: 'glow', strength: 9 }]);
});

test('an input that an upstream gives whole in the opening stays', async () => {
  const use = toolUse('toolu_1', 'bash', { command: 'ls' });
  const [start, ...rest] = wire('x').filter(({ type }) => type !== 'content_block_delta');
  const events = [start, ...rest].map((event) =>
    event?.type === 'content_block_start' ? { ...event, content_block: use } : event,
  );
  expect((await collect(events)).content).toEqual([use]);
});

describe('half an input', () => {
  const broken = (stop_reason: string): unknown[] =>
    wire(full).map((event) => {
      const delta = event['delta'] as { type?: string; stop_reason?: string } | undefined;
      if (delta?.type === 'input_json_delta') {
        return { ...event, delta: { type: 'input_json_delta', partial_json: '' } };
      }
      return event.type === 'message_delta' ? { ...event, delta: { ...delta, stop_reason } } : event;
    });
  const cut = (stop_reason: string): unknown[] => {
    const events = broken(stop_reason);
    const at = events.findLastIndex((event) => (event as WireEvent).type === 'content_block_stop');
    const half = {
      type: 'content_block_delta',
      index: 2,
      delta: { type: 'input_json_delta', partial_json: '{"command":"rm -r /home/agent' },
    };
    return [...events.slice(0, at), half, ...events.slice(at)];
  };

  test("is no input where the reply's bound cut it", async () => {
    const { content } = await collect(cut('max_tokens'));
    expect(content.at(-1)).toMatchObject({ type: 'tool_use', input: {} });
  });

  test('is a fault where the model says that it is whole', async () => {
    await expect(collect(cut('tool_use'))).rejects.toThrow('the input of the tool use toolu_1 is no JSON');
  });

  test('is no input where no piece of it came', async () => {
    expect((await collect(broken('tool_use'))).content.at(-1)).toMatchObject({ input: {} });
  });
});

describe('a stream out of order', () => {
  const events = wire(full);
  const without = (index: number): unknown[] => events.filter((_, at) => at !== index);
  const swapped = (index: number): unknown[] => {
    const all = [...events];
    [all[index], all[index + 1]] = [all[index + 1] as WireEvent, all[index] as WireEvent];
    return all;
  };

  const frame = events.flatMap(({ type }, index) =>
    type === 'content_block_delta' ? [] : [[index, type] as const],
  );

  test.each(frame)('is a fault when it lacks event %d, %s', async (index) => {
    await expect(collect(without(index))).rejects.toBeInstanceOf(ProviderUnavailableError);
  });

  test.each(frame.filter(([, type]) => type !== 'message_delta'))(
    'is a fault when it has event %d, %s, twice',
    async (index) => {
      const twice = events.flatMap((event, at) => (at === index ? [event, event] : [event]));
      await expect(collect(twice)).rejects.toBeInstanceOf(ProviderUnavailableError);
    },
  );

  const neighbours = events.flatMap(({ type }, index) => {
    const next = events[index + 1]?.type;
    return next === undefined || next === type ? [] : [[index, type, next] as const];
  });

  test.each(neighbours)('is a fault when events change places: %d, %s and %s', async (index) => {
    await expect(collect(swapped(index))).rejects.toBeInstanceOf(ProviderUnavailableError);
  });

  test.each(events.map((_, index) => index).slice(0, -1))(
    'is a fault when it ends after event %d',
    async (index) => {
      await expect(collect(events.slice(0, index + 1))).rejects.toMatchObject({
        name: 'ProviderUnavailableError',
        retryable: true,
        message: 'the reply broke off before its end',
      });
    },
  );

  test.each([
    [
      'a delta of another block',
      { type: 'content_block_delta', index: 5, delta: { type: 'text_delta', text: 'x' } },
    ],
    [
      'a delta of another kind of block',
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'x' } },
    ],
    [
      'a delta without its text',
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta' } },
    ],
    ['a delta that is none', { type: 'content_block_delta', index: 0, delta: null }],
    ['no object', 'hello'],
    ['no type', { index: 0 }],
    ['null', null],
  ])('is a fault when it holds %s', async (_what, event) => {
    await expect(collect([...events.slice(0, 2), event, ...events.slice(2)])).rejects.toThrow(
      'the streamed reply is out of order',
    );
  });

  test.each([
    ['no message', { type: 'message_start' }],
    ['a message with content', { type: 'message_start', message: message('x') }],
    ['a message without usage', { type: 'message_start', message: { ...message([]), usage: null } }],
  ])('is a fault when it starts with %s', async (_what, start) => {
    await expect(collect([start, ...events.slice(1)])).rejects.toThrow('message_start with');
  });

  test('is a fault when it is empty', async () => {
    await expect(collect([])).rejects.toBeInstanceOf(ProviderUnavailableError);
  });
});
