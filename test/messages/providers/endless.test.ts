import type { ServerResponse } from 'node:http';
import {
  collectMessage,
  createAnthropicProvider,
  type ModelProvider,
  type StreamEvent,
} from '../../../messages/index.ts';
import { createOpenAiProvider } from '../../../messages/providers/openai/openai-provider.ts';
import {
  eventsOf,
  message,
  startUpstream,
  type AnthropicUpstream,
} from '../../support/anthropic-upstream.ts';
import { modelRequest } from '../support.ts';
import { openedForAll } from '../../support/opened.ts';

const upstream = openedForAll(startUpstream);
beforeEach(() => upstream.reset());

const WORDS = 'word '.repeat(50_000);

/** Sends the same for ever, as fast as it is read. */
function forEver(response: ServerResponse, piece: string): Promise<void> {
  return new Promise((resolve) => {
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more).once('close', resolve);
    more();
  });
}

const sse = (event: object & { type: string }): string =>
  `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** A reply that begins as any other and never ends: `piece` again and again. */
const endless =
  (type: string, first: readonly string[], piece: string): AnthropicUpstream['answer'] =>
  async (_request, response) => {
    response.writeHead(200, { 'content-type': type });
    for (const each of first) response.write(each);
    await forEver(response, piece);
  };

const opening = eventsOf(message('x'))
  .filter(({ type }) => type !== 'ping')
  .slice(0, 2)
  .map(sse);
const textDelta = sse({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text: WORDS },
} as never);
/** Larger than a ping is, as reading a million of them takes seconds. */
const ping = sse({ type: 'ping', padding: ' '.repeat(4000) } as never);
const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: WORDS } }] })}\n\n`;

const anthropic = (): ModelProvider =>
  createAnthropicProvider({ apiKey: 'sk-up', baseURL: upstream.baseURL });
const openai = (): ModelProvider =>
  createOpenAiProvider({ baseURL: `${upstream.baseURL}/v1`, apiKey: 'sk-up' });
const signal = new AbortController().signal;
const request = modelRequest({ model: 'claude-upstream' });

async function drained(events: AsyncIterable<StreamEvent>): Promise<void> {
  for await (const event of events) if (event.type === 'message_stop') return;
}

it.each([
  ['anthropic, text', anthropic, endless('text/event-stream', opening, textDelta)],
  ['anthropic, pings', anthropic, endless('text/event-stream', opening, ping.repeat(50))],
  ['openai, text', openai, endless('text/event-stream', [], chunk)],
])(
  'an endless stream is cut off and said (%s)',
  async (_name, provider, answer) => {
    upstream.answer = answer;
    const reply = drained(provider().stream(request, { signal }));
    await expect(reply).rejects.toMatchObject({
      name: 'ReplyTooLargeError',
      type: 'api_error',
      retryable: false,
    });
    await upstream.gone();
  },
  60_000,
);

it.each([
  ['anthropic', anthropic],
  ['openai', openai],
])(
  'an endless answer in one piece is cut off and said (%s)',
  async (_name, provider) => {
    upstream.answer = endless('application/json', ['{"text":"'], WORDS);
    const reply = provider().reply(request, { signal });
    await expect(reply).rejects.toThrow("the upstream's answer is larger than 64 MiB and was cut off");
    await upstream.gone();
  },
  60_000,
);

it('a reply that is put together holds 16 MiB of text at most', async () => {
  upstream.answer = endless('text/event-stream', opening, textDelta);
  await expect(collectMessage(anthropic().stream(request, { signal }))).rejects.toThrow(
    'the reply is larger than 16 MiB and was cut off',
  );
  await upstream.gone();
}, 60_000);

it.each([
  ['retry-after', '1000000000'],
  ['retry-after', 'Infinity'],
  ['retry-after-ms', '1e300'],
  ['retry-after', 'Fri, 31 Dec 9999 23:59:59 GMT'],
])('%s: %s is an hour', async (name, value) => {
  upstream.answer = (_request, response) => {
    response.writeHead(429, { [name]: value, 'content-type': 'application/json' });
    response.end('{}');
  };
  await expect(anthropic().reply(request, { signal })).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
});
