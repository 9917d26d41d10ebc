import { BetaMessageStream } from '@anthropic-ai/sdk/lib/BetaMessageStream.js';
import { withBridge } from '../../../messages/bridge/bridge.ts';
import { ProviderUnavailableError } from '../../../messages/api/errors.ts';
import type { ModelProvider } from '../../../messages/providers/provider.ts';
import { collectMessage } from '../../../messages/stream/collect-message.ts';
import { messageEvents } from '../../../messages/stream/message-events.ts';
import type { StreamEvent } from '../../../messages/api/api-types.ts';
import {
  computerUse,
  eventsIn,
  messageOf,
  modelOf,
  OF_2024,
  OF_TODAY,
  options,
  requestOf,
  type Said,
} from './support.ts';
import { toolUse } from '../../support/blocks.ts';

const thinking: Said = { type: 'thinking', thinking: 'Where is it?', signature: 'c2ln' };
const words: Said = { type: 'text', text: 'I click on it.', citations: null };
const click = computerUse('computer_toolset_20260801', 'toolu_1', 'double_click', { coordinate: [30, 40] });
const bash: Said = { type: 'tool_use', id: 'toolu_2', name: 'bash', input: { command: 'ls' } };
const editor: Said = toolUse('toolu_3', 'str_replace_based_edit_tool', {
  command: 'insert',
  path: '/a',
  insert_line: 1,
  insert_text: 'b',
});

/** A model whose stream is these events, one after the other. */
function streaming(events: readonly StreamEvent[]): ModelProvider {
  return {
    ...modelOf(messageOf([])),
    async *stream() {
      for (const event of events) yield event;
    },
  };
}

/** The events of a use with its input in pieces, as the API cuts it. */
function pieces(index: number, block: Said, json: string): StreamEvent[] {
  return [
    { type: 'content_block_start', index, content_block: { ...block, input: {} } },
    ...['', ...(json.match(/.{1,5}/g) ?? [])].map((partial) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json: partial },
    })),
    { type: 'content_block_stop', index },
  ] as unknown as StreamEvent[];
}

describe('a bridged stream', () => {
  it('gives a use when it is whole, and its blocks new numbers', async () => {
    const [start, ...rest] = messageEvents(messageOf([thinking, words, bash]));
    if (start === undefined) throw new Error('no events');
    const end = rest.splice(-2);
    const events = [
      start,
      ...pieces(0, click, JSON.stringify(click['input'])),
      ...rest.map((event) => ('index' in event ? { ...event, index: event.index + 1 } : event)),
      ...pieces(4, editor, JSON.stringify(editor['input'])),
      ...end,
    ] as StreamEvent[];
    const out = await eventsIn(withBridge(streaming(events), OF_TODAY).stream(requestOf(OF_2024), options));
    const whole = await collectMessage(out);
    expect(whole.content).toEqual([
      toolUse('toolu_1__part1of2', 'computer', { action: 'mouse_move', coordinate: [30, 40] }),
      { type: 'tool_use', id: 'toolu_1__part2of2', name: 'computer', input: { action: 'double_click' } },
      thinking,
      words,
      bash,
      toolUse('toolu_3', 'str_replace_editor', {
        command: 'insert',
        path: '/a',
        insert_line: 1,
        new_str: 'b',
      }),
    ]);
    expect(out.flatMap((event) => (event.type === 'content_block_start' ? [event.index] : []))).toEqual([
      0, 1, 2, 3, 4, 5,
    ]);
  });

  it('hands each text delta on before it takes the next event', async () => {
    const asked: string[] = [];
    const provider = streaming([]);
    provider.stream = async function* () {
      for (const event of messageEvents(messageOf([words, click]))) {
        asked.push(event.type);
        yield event;
      }
    };
    const out = withBridge(provider, OF_TODAY).stream(requestOf(OF_2024), options)[Symbol.asyncIterator]();
    const types: string[] = [];
    for (let count = 1; count <= 4; count += 1) {
      const { value } = (await out.next()) as { value: StreamEvent };
      types.push(value.type);
      expect(asked).toHaveLength(count);
    }
    expect(types).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
    ]);
    await out.return?.();
  });

  it("is put together by the official SDK's own stream", async () => {
    const reply = messageOf([thinking, words, click, bash, editor]);
    const out = withBridge(modelOf(reply), OF_TODAY).stream(requestOf(OF_2024), options);
    const lines = new ReadableStream({
      async start(controller) {
        const encoder = new TextEncoder();
        for await (const event of out) controller.enqueue(encoder.encode(`${JSON.stringify(event)}\n`));
        controller.close();
      },
    });
    const whole = await BetaMessageStream.fromReadableStream(lines).finalMessage();
    const expected = await withBridge(modelOf(reply), OF_TODAY).reply(requestOf(OF_2024), options);
    expect(JSON.parse(JSON.stringify(whole.content))).toEqual(JSON.parse(JSON.stringify(expected.content)));
    expect(whole.stop_reason).toBe('tool_use');
  });

  it('leaves out a use that the bound cut in the middle', async () => {
    const [start] = messageEvents(messageOf([]));
    const end = [...messageEvents(messageOf([], { stop_reason: 'max_tokens' }))].slice(-2);
    const events = [start, ...pieces(0, click, '{"coordinate": [3'), ...end] as StreamEvent[];
    const whole = await collectMessage(
      await eventsIn(withBridge(streaming(events), OF_TODAY).stream(requestOf(OF_2024), options)),
    );
    expect(whole.content).toEqual([]);
    expect(whole.stop_reason).toBe('max_tokens');
  });

  it.each([
    ['is the last thing that was said before the bound', 'max_tokens', [], 0],
    ['was cut off by a filter', 'refusal', [], 0],
    ['has another block behind it', 'max_tokens', [words], 1],
    ['ends a whole reply', 'tool_use', [], 1],
  ] as const)(
    'gives a use without input only where nothing cut it: one that %s',
    async (_which, reason, rest, uses) => {
      const press = computerUse('computer_toolset_20260801', 'toolu_1', 'left_click');
      const reply = messageOf([press, ...rest], { stop_reason: reason });
      const provider = withBridge(modelOf(reply), OF_TODAY);
      const whole = await collectMessage(await eventsIn(provider.stream(requestOf(OF_2024), options)));
      const use = { type: 'tool_use', id: 'toolu_1', name: 'computer', input: { action: 'left_click' } };
      expect(whole.content).toEqual([...(uses === 0 ? [] : [use]), ...rest]);
      expect(whole.content).toEqual((await provider.reply(requestOf(OF_2024), options)).content);
    },
  );

  it('fails when the upstream gives no JSON, or breaks off', async () => {
    const [start] = messageEvents(messageOf([]));
    const end = [...messageEvents(messageOf([click]))].slice(-2);
    const broken = [start, ...pieces(0, click, '{"coordinate": [3'), ...end] as StreamEvent[];
    await expect(
      eventsIn(withBridge(streaming(broken), OF_TODAY).stream(requestOf(OF_2024), options)),
    ).rejects.toThrow('the input of the tool use toolu_1 is no JSON');
    await expect(
      eventsIn(withBridge(streaming(broken.slice(0, -2)), OF_TODAY).stream(requestOf(OF_2024), options)),
    ).rejects.toBeInstanceOf(ProviderUnavailableError);
  });

  it('ends the work upstream when the client leaves', async () => {
    let ended = false;
    const provider = streaming([]);
    provider.stream = async function* () {
      try {
        yield* messageEvents(messageOf([words, click]));
      } finally {
        ended = true;
      }
    };
    for await (const event of withBridge(provider, OF_TODAY).stream(requestOf(OF_2024), options)) {
      if (event.type === 'content_block_start') break;
    }
    expect(ended).toBe(true);
  });

  it('passes on what fails upstream, before and after a refusal', async () => {
    const scroll = computerUse('computer_toolset_20260801', 'toolu_1', 'scroll', {
      scroll_direction: 'up',
      scroll_amount: 1,
    });
    let asked = 0;
    const provider = streaming([]);
    provider.stream = async function* () {
      asked += 1;
      if (asked === 2) throw new ProviderUnavailableError('it is gone');
      yield* messageEvents(messageOf([scroll]));
    };
    await expect(
      eventsIn(withBridge(provider, OF_TODAY).stream(requestOf(OF_2024), options)),
    ).rejects.toThrow('it is gone');
    expect(asked).toBe(2);
  });

  it('goes through event by event when there is nothing to map', async () => {
    const events = [...messageEvents(messageOf([words, click]))];
    const out = await eventsIn(withBridge(streaming(events), OF_TODAY).stream(requestOf(OF_TODAY), options));
    expect(out).toHaveLength(events.length);
    for (const [index, event] of out.entries()) expect(event).toBe(events[index]);
  });
});
