import { BetaMessageStream } from '@anthropic-ai/sdk/lib/BetaMessageStream.js';
import { MessageStream } from '@anthropic-ai/sdk/lib/MessageStream.js';
import { assertAsyncProperty, assertProperty, fc } from '../../support/fast-check.ts';
import type { Message } from '../../../messages/api/api-types.ts';
import { collectMessage } from '../../../messages/stream/collect-message.ts';
import { messageEvents, pieces } from '../../../messages/stream/message-events.ts';
import { StreamGrammar } from '../../../messages/stream/stream-grammar.ts';
import { messages } from './random-message.ts';

function lines(message: Message): ReadableStream {
  const encoder = new TextEncoder();
  const events = [...messageEvents(message)].map((event) => encoder.encode(`${JSON.stringify(event)}\n`));
  return new ReadableStream({
    start(controller) {
      for (const event of events) controller.enqueue(event);
      controller.close();
    },
  });
}

/** Plain JSON: the SDK's own marks on its objects are not part of the message. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('the events of any message are in order, and put together are the message', async () => {
  await assertAsyncProperty(300, messages, async (message) => {
    const grammar = new StreamGrammar();
    for (const event of messageEvents(message)) grammar.take(plain(event));
    grammar.end();
    expect(await collectMessage(messageEvents(message))).toEqual(message);
  });
});

test("the official client's accumulators make the same message of the events", async () => {
  await assertAsyncProperty(100, messages, async (message) => {
    const { parsed_output: _, ...beta } = (await BetaMessageStream.fromReadableStream(
      lines(message),
    ).finalMessage()) as unknown as Record<string, unknown>;
    expect(plain(withoutParsed(beta))).toEqual(message);
  });
});

/** Blocks that only the client with betas puts together. */
const isOld = ({ type }: { readonly type: string }): boolean =>
  !['compaction', 'mcp_tool_use'].includes(type);

test('the client without betas agrees on what it knows', async () => {
  await assertAsyncProperty(100, messages, async (message) => {
    const final = await MessageStream.fromReadableStream(lines(message)).finalMessage();
    const { content, stop_reason, usage } = plain(withoutParsed(final)) as Message;
    expect(content.filter(isOld)).toEqual(message.content.filter(isOld));
    expect({ stop_reason, output: usage.output_tokens }).toEqual({
      stop_reason: message.stop_reason,
      output: message.usage.output_tokens,
    });
  });
});

/** The client adds `parsed_output` for structured outputs. */
function withoutParsed(message: object): object {
  const { content, parsed_output: _, ...rest } = message as Record<string, unknown>;
  return {
    ...rest,
    content: (content as Record<string, unknown>[]).map(({ parsed_output: _parsed, ...block }) => block),
  };
}

test('a long text comes in pieces that never cut a character', () => {
  assertProperty(
    100,
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.integer({ min: 1, max: 9 }),
    (text, length) => {
      const cut = pieces(text, length);
      expect(cut.join('')).toBe(text);
      for (const piece of cut) {
        expect(piece.length).toBeLessThanOrEqual(length + 1);
        expect(Buffer.from(piece).toString()).toBe(piece);
      }
    },
  );
  expect(pieces('x'.repeat(2000))).toHaveLength(4);
});
