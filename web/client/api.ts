import type { EventSendParams } from '@anthropic-ai/sdk/resources/beta/sessions/events.js';
import type { ApiAnswer, ApiBody, ApiKey, ApiQuery, PathNames } from '@steadyhand/server';

export type Session = ApiAnswer<'GET /v1/sessions/{id}'>;
export type SessionEvent = ApiAnswer<'GET /v1/sessions/{id}/events'>['data'][number];
export type Health = ApiAnswer<'GET /health'>;
export type Agent = ApiAnswer<'GET /v1/agents/{id}'>;
type OutgoingEvent = EventSendParams['events'][number];

/** An answer that is no success. `status` is 0 when there was no answer. */
export class RequestFailedError extends Error {
  override readonly name = 'RequestFailedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** Where the browser keeps the API key of a server that wants one, for this server alone. */
const KEY_ITEM = 'steadyhand-api-key';

export function storedKey(): string | null {
  return localStorage.getItem(KEY_ITEM);
}

export function storeKey(key: string): void {
  if (key === '') localStorage.removeItem(KEY_ITEM);
  else localStorage.setItem(KEY_ITEM, key);
}

/** The headers of every request: the key, when the server asked for one. */
function requestHeaders(): Record<string, string> {
  const key = storedKey();
  return key === null ? {} : { 'x-api-key': key };
}

/** `fetch`'s options, with headers as a plain object. */
type PlainInit = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** Sends a request to this server; throws RequestFailedError with the server's message. */
export async function request(path: string, init: PlainInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers: { ...requestHeaders(), ...init.headers } });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    throw new RequestFailedError(0, 'The server cannot be reached.');
  }
  if (!response.ok) throw new RequestFailedError(response.status, await errorMessage(response));
  return response;
}

/** The errors of the agent API, the inference API and the Open Inference Protocol. */
interface ErrorBody {
  readonly error?: string | { readonly message?: string };
  readonly detail?: string | readonly { readonly loc: readonly unknown[]; readonly msg: string }[];
}

function messageIn({ error, detail }: ErrorBody): string | undefined {
  if (typeof detail === 'string') return detail;
  if (detail !== undefined) return detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');
  return typeof error === 'string' ? error : error?.message;
}

async function errorMessage(response: Response): Promise<string> {
  try {
    return messageIn((await response.json()) as ErrorBody) ?? response.statusText;
  } catch {
    return response.statusText;
  }
}

/** What a route is asked with: the parts of its path and its JSON body where it has them. */
export type Asked<K extends ApiKey> = {
  readonly query?: ApiQuery<K>;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
} & ([PathNames<K>] extends [never] ? unknown : { readonly params: Readonly<Record<PathNames<K>, string>> }) &
  ([ApiBody<K>] extends [never] ? { readonly form?: FormData } : { readonly body?: ApiBody<K> });

/** Asks a route of this server. Its key, e.g. `GET /v1/sessions/{id}`, says which parts it takes. */
export function ask<K extends ApiKey>(key: K, asked: Asked<K>): Promise<Response> {
  const { params, query, body, form, signal, headers } = asked as Parts;
  const [method = '', path = ''] = key.split(' ');
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  const text = query === undefined ? '' : `?${new URLSearchParams(query).toString()}`;
  const json = { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } };
  return request(place + text, {
    method,
    ...(signal === undefined ? {} : { signal }),
    ...(headers === undefined ? {} : { headers }),
    ...(form === undefined ? {} : { body: form }),
    ...(body === undefined ? {} : json),
  });
}

/** The same without the compiler's knowledge of the route. */
interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly form?: FormData;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks a route for its JSON. */
export async function call<K extends ApiKey>(key: K, asked: Asked<K>): Promise<ApiAnswer<K>> {
  return (await (await ask(key, asked)).json()) as ApiAnswer<K>;
}

export async function sendEvents(id: string, events: OutgoingEvent[]): Promise<void> {
  await call('POST /v1/sessions/{id}/events', { params: { id }, body: { events } });
}

/** All events so far, oldest first, pictures as links. */
export async function listEvents(id: string, signal: AbortSignal): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  let page: string | null = null;
  do {
    const found: ApiAnswer<'GET /v1/sessions/{id}/events'> = await call('GET /v1/sessions/{id}/events', {
      params: { id },
      query: { limit: '1000', sources: 'url', ...(page === null ? {} : { page }) },
      signal,
    });
    events.push(...found.data);
    page = found.next_page;
  } while (page !== null);
  return events;
}
