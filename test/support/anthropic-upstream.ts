import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errorBody, json, reply, type Handler } from './anthropic-answers.ts';

export * from './anthropic-answers.ts';

export interface SeenRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** Empty for a request without a body. */
  readonly body: Record<string, unknown>;
}

/** A model as `GET /v1/models` lists it; only `id` is needed. */
export interface ListedModel {
  readonly id: string;
  readonly display_name?: string;
  readonly created_at?: string;
  readonly [field: string]: unknown;
}

/**
 * An upstream that speaks the Messages API's wire over a loopback socket and says what the test makes it say.
 *
 * Requests for a message take the next of `queue`, or `answer` when the queue is empty; so does any path that is not named
 * here (Bedrock's and Vertex's among them). `count_tokens` and the list of models have answers of their own.
 */
export interface AnthropicUpstream {
  readonly baseURL: string;
  /** Every request, in order of arrival. */
  readonly seen: SeenRequest[];
  /** How many clients left before their answer was whole. A connection that the double cut counts too. */
  readonly cut: () => number;
  /** Resolves once `cut()` is at least so many. */
  gone(count?: number): Promise<void>;
  /** Resolves with the request of this index once it has arrived. */
  arrived(index?: number): Promise<SeenRequest>;
  answer: Handler;
  readonly queue: Handler[];
  countTokens: Handler;
  /** What the lists of models hold, newest first; a handler in place of a list answers as it likes. */
  models: readonly ListedModel[] | Handler;
  /** Forgets what was seen, queued and counted, and answers as at first. */
  reset(): void;
  /** Rejects with the first fault that a handler threw. */
  close(): Promise<void>;
}

export type UpstreamDouble = AnthropicUpstream;

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const whole = Buffer.concat(chunks).toString('utf8');
  return whole === '' ? {} : (JSON.parse(whole) as Record<string, unknown>);
}

/** The API's pages: `after_id` and `before_id` exclusive, 20 at a time. */
function modelPage(models: readonly ListedModel[], query: URLSearchParams): object {
  const limit = Number(query.get('limit') ?? 20);
  const at = (name: string): number => models.findIndex(({ id }) => id === query.get(name));
  const before = query.has('before_id') ? at('before_id') : undefined;
  const from =
    before === undefined ? (query.has('after_id') ? at('after_id') + 1 : 0) : Math.max(0, before - limit);
  const page = models.slice(from, before ?? from + limit);
  return {
    data: page.map(wholeModel),
    has_more: before === undefined ? from + limit < models.length : from > 0,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}

const wholeModel = (model: ListedModel): object => ({
  type: 'model',
  display_name: model.id,
  created_at: '2026-01-01T00:00:00Z',
  ...model,
});

function modelsAnswer(models: readonly ListedModel[], url: URL): Handler {
  const id = /\/v1\/models\/([^/]+)$/.exec(url.pathname)?.[1];
  if (id === undefined) return json(200, modelPage(models, url.searchParams));
  const model = models.find((each) => each.id === decodeURIComponent(id));
  return model === undefined
    ? json(404, errorBody('not_found_error', `model: ${id}`))
    : json(200, wholeModel(model));
}

export async function startUpstream(): Promise<AnthropicUpstream> {
  const seen: SeenRequest[] = [];
  const queue: Handler[] = [];
  const faults: unknown[] = [];
  const waiting: (() => void)[] = [];
  let cut = 0;
  /** Counts the resets: what began before one is no affair of the test after it. */
  let round = 0;
  const first = {
    answer: reply('Hello from upstream.'),
    countTokens: json(200, { input_tokens: 42 }),
    models: [{ id: 'claude-upstream' }] as readonly ListedModel[] | Handler,
  };
  const double = { ...first };

  const changed = (): void => {
    for (const look of waiting.splice(0)) look();
  };
  const until = async <T>(look: () => T | undefined): Promise<T> => {
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };

  const handlerFor = ({ method, url }: SeenRequest): Handler => {
    const at = new URL(url, 'http://double');
    if (at.pathname.endsWith('/v1/messages/count_tokens')) return double.countTokens;
    if (method === 'GET' && /\/v1\/models(\/[^/]+)?$/.test(at.pathname)) {
      return typeof double.models === 'function' ? double.models : modelsAnswer(double.models, at);
    }
    return queue.shift() ?? double.answer;
  };

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const began = round;
    response.on('close', () => {
      if (response.writableFinished || began !== round) return;
      cut += 1;
      changed();
    });
    const { method = '', url = '', headers } = request;
    let body: Record<string, unknown>;
    try {
      body = await bodyOf(request);
    } catch (error) {
      // Who leaves half way through a request is a client that gave up, not a fault of the double.
      if (request.destroyed && !request.complete) return;
      throw error;
    }
    if (began !== round) return void response.destroy();
    const entry = { method, url, headers, body };
    seen.push(entry);
    changed();
    await handlerFor(entry)(entry, response);
  };

  // It closes no connection that a client keeps: one would be sent into as it closes.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    take(request, response).catch((error: unknown) => {
      faults.push(error);
      response.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(double, {
    baseURL: `http://127.0.0.1:${port}`,
    seen,
    queue,
    cut: () => cut,
    gone: async (count = 1) => void (await until(() => (cut >= count ? true : undefined))),
    arrived: (index = 0) => until(() => seen[index]),
    reset: () => {
      round += 1;
      seen.length = 0;
      queue.length = 0;
      cut = 0;
      Object.assign(double, first);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      if (faults.length > 0) throw faults[0];
    },
  });
}
