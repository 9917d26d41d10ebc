import type { ServerResponse } from 'node:http';
import type { SeenRequest } from './anthropic-upstream.ts';

/** What the double does with one request. A fault in it cuts the connection and fails the double's `close`. */
export type Handler = (request: SeenRequest, response: ServerResponse) => unknown;

/** A block of a reply, as the wire has it. */
export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** One server-sent event: its name is its type. */
export type WireEvent = Readonly<Record<string, unknown>> & { readonly type: string };

export type WireMessage = Readonly<Record<string, unknown>> & {
  readonly content: readonly Block[];
  readonly usage: Readonly<Record<string, unknown>>;
};

export const text = (words: string): Block => ({ type: 'text', text: words });

export const thinking = (words: string, signature = 'c2lnbmVk'): Block => ({
  type: 'thinking',
  thinking: words,
  signature,
});

export const toolUse = (id: string, name: string, input: object): Block => ({
  type: 'tool_use',
  id,
  name,
  input,
});

/** A whole message; it stops for `tool_use` when it has one, else at `end_turn`. */
export function message(
  content: string | readonly Block[],
  change: Readonly<Record<string, unknown>> = {},
): WireMessage {
  const blocks = typeof content === 'string' ? [text(content)] : content;
  return {
    id: 'msg_upstream',
    type: 'message',
    role: 'assistant',
    model: 'claude-upstream',
    content: blocks,
    stop_reason: blocks.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: {
      input_tokens: 30,
      output_tokens: 12,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
    ...change,
  };
}

const pieces = (whole: string, length: number): string[] =>
  whole.match(new RegExp(`[^]{1,${length}}`, 'gu')) ?? [];

/** The deltas of a block, in several pieces, and the block as the stream opens it. */
function opening(block: Block): { readonly start: Block; readonly deltas: readonly object[] } {
  switch (block.type) {
    case 'text':
      return {
        start: { ...block, text: '' },
        deltas: pieces(String(block['text']), 7).map((piece) => ({ type: 'text_delta', text: piece })),
      };
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          ...pieces(String(block['thinking']), 9).map((piece) => ({
            type: 'thinking_delta',
            thinking: piece,
          })),
          { type: 'signature_delta', signature: block['signature'] },
        ],
      };
    case 'tool_use':
      return {
        start: { ...block, input: {} },
        // As on the wire: an empty piece first, then JSON that is cut anywhere.
        deltas: ['', ...pieces(JSON.stringify(block['input']), 11)].map((piece) => ({
          type: 'input_json_delta',
          partial_json: piece,
        })),
      };
    default:
      return { start: block, deltas: [] };
  }
}

/** The events of a message, with the ping that the API sends after the first. */
export function eventsOf(whole: WireMessage): WireEvent[] {
  const { content, stop_reason, stop_sequence, stop_details = null, usage, ...rest } = whole;
  const events: WireEvent[] = [
    {
      type: 'message_start',
      message: {
        ...rest,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usage, output_tokens: 1 },
      },
    },
    { type: 'ping' },
  ];
  for (const [index, block] of content.entries()) {
    const { start, deltas } = opening(block);
    events.push({ type: 'content_block_start', index, content_block: start });
    for (const delta of deltas) events.push({ type: 'content_block_delta', index, delta });
    events.push({ type: 'content_block_stop', index });
  }
  events.push(
    { type: 'message_delta', delta: { stop_reason, stop_sequence, stop_details }, usage },
    { type: 'message_stop' },
  );
  return events;
}

export function errorBody(type: string, words: string): object {
  return { type: 'error', error: { type, message: words }, request_id: 'req_upstream' };
}

/** An answer of JSON; a string goes out as it is, so that it may be broken. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Handler {
  return (_request, response) => {
    response.writeHead(status, {
      'content-type': 'application/json',
      'request-id': 'req_upstream',
      ...headers,
    });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

export const failure = (
  status: number,
  type: string,
  words: string,
  headers: Record<string, string> = {},
): Handler => json(status, errorBody(type, words), headers);

export const rateLimited = (headers: Record<string, string> = { 'retry-after': '1' }): Handler =>
  failure(429, 'rate_limit_error', 'Number of requests has exceeded your rate limit', headers);

export const overloaded = (headers: Record<string, string> = {}): Handler =>
  failure(529, 'overloaded_error', 'Overloaded', headers);

/** Never answers: the connection stays open until the client leaves. */
export const silent: Handler = () => undefined;

/** Cuts the connection before an answer begins. */
export const cut: Handler = (_request, response) => response.destroy();

export interface StreamPlan {
  /** Awaited before the event of this index is sent, index 0 before the headers: a gate of the test's, or a delay. */
  readonly before?: (index: number) => unknown;
  /** Cuts the connection once so many events are out. */
  readonly cutAfter?: number;
}

/** Events as server-sent events, in order; a string is written as it is, so that it may be malformed. */
export function stream(
  events: readonly (WireEvent | string)[],
  { before, cutAfter }: StreamPlan = {},
): Handler {
  return async (_request, response) => {
    const write = (chunk: string): Promise<void> =>
      new Promise((done) => {
        response.write(chunk, () => done());
      });
    for (const [index, event] of events.entries()) {
      await before?.(index);
      if (response.destroyed) return;
      if (index === 0) {
        response.writeHead(200, {
          'content-type': 'text/event-stream; charset=utf-8',
          'request-id': 'req_upstream',
        });
      }
      if (index === cutAfter) {
        response.destroy();
        return;
      }
      await write(
        typeof event === 'string' ? event : `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      );
    }
    if (cutAfter !== undefined) response.destroy();
    else response.end();
  };
}

/** The message in the form that the request asked for: JSON, or a stream when the body says `stream: true`. */
export function reply(content: string | readonly Block[] | WireMessage, plan: StreamPlan = {}): Handler {
  const whole =
    typeof content === 'string' || Array.isArray(content) ? message(content) : (content as WireMessage);
  return async (request, response) => {
    // As an upstream does: the model's name is the one that was asked for.
    const named = { ...whole, model: request.body['model'] ?? whole['model'] };
    if (request.body['stream'] === true) return stream(eventsOf(named), plan)(request, response);
    await plan.before?.(0);
    return plan.cutAfter === undefined ? json(200, named)(request, response) : response.destroy();
  };
}

/** A stream whose model fails: the events before it, then the API's `error` event. */
export function failingStream(
  content: string | readonly Block[],
  after: number,
  type: string,
  words: string,
): Handler {
  const events = eventsOf(message(content)).slice(0, after);
  return stream([...events, { type: 'error', error: { type, message: words }, request_id: 'req_upstream' }]);
}

/** Waits so many milliseconds before each event: a slow model. For tests, a gate of their own is better. */
export const slowly = (ms: number): StreamPlan => ({
  before: () => new Promise((done) => void setTimeout(done, ms)),
});
