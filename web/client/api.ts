import type { EventSendParams } from '@anthropic-ai/sdk/resources/beta/sessions/events.js';
import type { ApiAnswer, ApiBody, ApiKey, ApiQuery, PathNames } from '@steadyhand/server';
import type { Grant } from '@steadyhand/sessions';
import { request } from './request.ts';

/**
 * The typed client. A route's key, e.g. `GET /v1/sessions/{id}`, says which parts it takes and what it answers; the types come
 * from the declarations that the OpenAPI descriptions are made of, so that both always agree.
 */
export type { ApiAnswer, ApiBody, ApiKey } from '@steadyhand/server';

export type Session = ApiAnswer<'GET /v1/sessions/{id}'>;
export type SessionEvent = ApiAnswer<'GET /v1/sessions/{id}/events'>['data'][number];
export type Agent = ApiAnswer<'GET /v1/agents/{id}'>;
/** The SDK's events, and what is ours: grants for the rest of a session. */
type OutgoingEvent =
  | (EventSendParams['events'][number] & { readonly grant?: Grant })
  | { readonly type: 'user.grant_withdrawn'; readonly grant_id: string };

/** What a route is asked with: the parts of its path and its JSON body where it has them. */
export type Asked<K extends ApiKey> = {
  readonly query?: ApiQuery<K>;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
} & ([PathNames<K>] extends [never] ? unknown : { readonly params: Readonly<Record<PathNames<K>, string>> }) &
  ([ApiBody<K>] extends [never] ? { readonly form?: FormData } : { readonly body?: ApiBody<K> });

/** The same without the compiler's knowledge of the route. */
interface Parts {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly form?: FormData;
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The address of a route, for what loads by itself: links, pictures, downloads. */
export function addressOf<K extends ApiKey>(key: K, asked: Asked<K>): string {
  const { params, query } = asked as Parts;
  const path = key.slice(key.indexOf(' ') + 1);
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''));
  return query === undefined ? place : `${place}?${new URLSearchParams(query).toString()}`;
}

/** Asks a route of this server. */
export function ask<K extends ApiKey>(key: K, asked: Asked<K>): Promise<Response> {
  const { body, form, signal, headers } = asked as Parts;
  const json = { body: JSON.stringify(body), headers: { ...headers, 'content-type': 'application/json' } };
  return request(addressOf(key, asked), {
    method: key.slice(0, key.indexOf(' ')),
    ...(signal === undefined ? {} : { signal }),
    ...(headers === undefined ? {} : { headers }),
    ...(form === undefined ? {} : { body: form }),
    ...(body === undefined ? {} : json),
  });
}

/** Asks a route for its JSON. */
export async function call<K extends ApiKey>(key: K, asked: Asked<K>): Promise<ApiAnswer<K>> {
  return (await (await ask(key, asked)).json()) as ApiAnswer<K>;
}

export async function sendEvents(id: string, events: OutgoingEvent[]): Promise<void> {
  await call('POST /v1/sessions/{id}/events', { params: { id }, body: { events } });
}

/** All events so far in pages, oldest first, pictures as links. */
export async function* eventPages(
  id: string,
  signal: AbortSignal,
): AsyncGenerator<{ readonly events: readonly SessionEvent[]; readonly last: boolean }, void, void> {
  let page: string | null = null;
  do {
    const found: ApiAnswer<'GET /v1/sessions/{id}/events'> = await call('GET /v1/sessions/{id}/events', {
      params: { id },
      query: { limit: '1000', sources: 'url', ...(page === null ? {} : { page }) },
      signal,
    });
    page = found.next_page;
    yield { events: found.data, last: page === null };
  } while (page !== null);
}

export type Model = ApiAnswer<'GET /v2/models'>['models'][number];
export type Analysis = ApiAnswer<'POST /analyze'>;

/**
 * What a model sees on a picture. Of a model whose answer is tensors their figures, for the tensors themselves may be
 * millions of numbers.
 */
export function analyze(picture: File, { name, task }: Model, signal: AbortSignal): Promise<Analysis> {
  const form = new FormData();
  form.set('file', picture);
  const query = { model: name, ...(task === 'tensor' ? { output: 'stats' } : {}) };
  return call('POST /analyze', { form, query, signal });
}
