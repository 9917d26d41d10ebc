import { json, type Handler } from './anthropic-answers.ts';

/** A tool call as a completion holds it; without an id as some servers leave it out. */
export interface Call {
  readonly id?: string;
  readonly name: string;
  /** The object, or the text of the arguments as it is. */
  readonly arguments: object | string;
}

export interface Completion {
  readonly content?: string | null;
  readonly reasoning_content?: string;
  readonly refusal?: string;
  readonly calls?: readonly Call[];
  readonly finish_reason?: string | null;
  /** Null: the server counts nothing. */
  readonly usage?: Readonly<Record<string, unknown>> | null;
  /** Fields of the choice that are a server's own, e.g. `stop_reason` of vLLM. */
  readonly choice?: Readonly<Record<string, unknown>>;
}

export const USAGE = { prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 };

const REQUEST_ID = { 'x-request-id': 'req_openai' };

const textOf = ({ arguments: given }: Call): string =>
  typeof given === 'string' ? given : JSON.stringify(given);

const idOf = ({ id }: Call): object => (id === undefined ? {} : { id });

function finishOf({ finish_reason: reason, calls = [] }: Completion): string | null {
  return reason === undefined ? (calls.length > 0 ? 'tool_calls' : 'stop') : reason;
}

/** A completion as the wire has it. */
export function completion(said: Completion, model: unknown = 'local-model'): object {
  const { content = null, reasoning_content, refusal, calls = [], usage = USAGE, choice } = said;
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_790_000_000,
    model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content,
          refusal: refusal ?? null,
          ...(reasoning_content === undefined ? {} : { reasoning_content }),
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: calls.map((call) => ({
                  ...idOf(call),
                  type: 'function',
                  function: { name: call.name, arguments: textOf(call) },
                })),
              }),
        },
        logprobs: null,
        finish_reason: finishOf(said),
        ...choice,
      },
    ],
    ...(usage === null ? {} : { usage }),
  };
}

/** One chunk of a stream. */
export function chunk(
  delta: object,
  finish_reason: string | null = null,
  choice: object = {},
): Readonly<Record<string, unknown>> {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_790_000_000,
    model: 'local-model',
    choices: [{ index: 0, delta, logprobs: null, finish_reason, ...choice }],
  };
}

export const usageChunk = (usage: object = USAGE): Readonly<Record<string, unknown>> => ({
  ...chunk({}),
  choices: [],
  usage,
});

/** A piece of a tool call, at its place among the calls. */
export const callPiece = (
  index: number | undefined,
  piece: { readonly id?: string; readonly name?: string; readonly arguments?: string },
): Readonly<Record<string, unknown>> => {
  const { id, ...called } = piece;
  return chunk({
    tool_calls: [
      {
        ...(index === undefined ? {} : { index }),
        ...(id === undefined ? {} : { id, type: 'function' }),
        function: called,
      },
    ],
  });
};

const pieces = (whole: string, length: number): string[] =>
  whole.match(new RegExp(`[^]{1,${length}}`, 'gu')) ?? [];

/** The chunks of a completion as OpenAI sends them: the role, the words, each call by its pieces, the end, the counts. */
export function chunksOf(said: Completion): Readonly<Record<string, unknown>>[] {
  const { content, reasoning_content = '', refusal = '', calls = [], usage = USAGE, choice } = said;
  return [
    chunk({ role: 'assistant', content: '', refusal: null }),
    ...pieces(reasoning_content, 9).map((piece) => chunk({ reasoning_content: piece })),
    ...pieces(content ?? '', 7).map((piece) => chunk({ content: piece })),
    ...pieces(refusal, 7).map((piece) => chunk({ refusal: piece })),
    ...calls.flatMap((call, index) => [
      callPiece(index, { ...idOf(call), name: call.name, arguments: '' }),
      ...pieces(textOf(call), 11).map((piece) => callPiece(index, { arguments: piece })),
    ]),
    chunk({}, finishOf(said), choice),
    ...(usage === null ? [] : [usageChunk(usage)]),
  ];
}

export const DONE = 'data: [DONE]\n\n';

export interface ChunkPlan {
  /** Awaited before each event. */
  readonly before?: (index: number) => unknown;
  /** Cuts the connection once so many events are out. */
  readonly cutAfter?: number;
  /** What ends the stream; default `[DONE]`. */
  readonly end?: string;
  /** Leaves the connection open after the end. */
  readonly open?: boolean;
}

/** Chunks as server-sent events; a string is written as it is. */
export function sse(events: readonly (object | string)[], plan: ChunkPlan = {}): Handler {
  const { before, cutAfter, end = DONE, open = false } = plan;
  return async (_request, response) => {
    await before?.(0);
    if (response.destroyed) return;
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', ...REQUEST_ID });
    response.flushHeaders();
    for (const [index, event] of events.entries()) {
      if (index > 0) await before?.(index);
      if (index === cutAfter) {
        response.destroy();
        return;
      }
      const text = typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`;
      await new Promise<void>((done) => void response.write(text, () => done()));
    }
    if (cutAfter !== undefined) response.destroy();
    else if (open) response.write(end);
    else response.end(end);
  };
}

/** The completion in the form that the request asked for. Counts come in a stream only when it asked for them. */
export function chat(said: Completion | string, plan: ChunkPlan = {}): Handler {
  const whole = typeof said === 'string' ? { content: said } : said;
  return async (request, response) => {
    if (request.body['stream'] === true) {
      const options = request.body['stream_options'] as { include_usage?: boolean } | undefined;
      const counted = options?.include_usage === true ? whole : { ...whole, usage: null };
      return sse(chunksOf(counted), plan)(request, response);
    }
    await plan.before?.(0);
    return json(200, completion(whole, request.body['model']), REQUEST_ID)(request, response);
  };
}

/** An error of OpenAI's shape. */
export function failure(
  status: number,
  error: { readonly message: string; readonly type?: string; readonly code?: string | number | null },
  headers: Record<string, string> = {},
): Handler {
  return json(
    status,
    { error: { type: null, param: null, code: null, ...error } },
    { ...REQUEST_ID, ...headers },
  );
}
