import type {
  BetaManagedAgentsSessionEvent,
  EventSendParams,
} from '@anthropic-ai/sdk/resources/beta/sessions/events.js';
import type { SandboxEvent, Session } from '@steadyhand/sessions';

export type { Session };
export type SessionEvent = BetaManagedAgentsSessionEvent | SandboxEvent;
type OutgoingEvent = EventSendParams['events'][number];

interface Page<T> {
  readonly data: readonly T[];
  readonly next_page: string | null;
}

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

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await (await request(path, signal === undefined ? {} : { signal })).json()) as T;
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  const init = {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  };
  return (await (await request(path, init)).json()) as T;
}

export function listSessions(page: string | null, signal?: AbortSignal): Promise<Page<Session>> {
  const query = new URLSearchParams({ limit: '20', ...(page === null ? {} : { page }) });
  return get(`/v1/sessions?${query.toString()}`, signal);
}

export function retrieveSession(id: string, signal?: AbortSignal): Promise<Session> {
  return get(`/v1/sessions/${encodeURIComponent(id)}`, signal);
}

/** The state of the session's state machine, finer than the status; null before the first run. */
export async function retrieveState(id: string, signal?: AbortSignal): Promise<string | null> {
  return (await get<{ state: string | null }>(`/v1/sessions/${encodeURIComponent(id)}/state`, signal)).state;
}

export async function deleteSession(id: string): Promise<void> {
  await request(`/v1/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });
}

export async function sendEvents(id: string, events: readonly OutgoingEvent[]): Promise<void> {
  await post(`/v1/sessions/${encodeURIComponent(id)}/events`, { events });
}

/** All events so far, oldest first, pictures as links. */
export async function listEvents(id: string, signal: AbortSignal): Promise<readonly SessionEvent[]> {
  const events: SessionEvent[] = [];
  let page: string | null = null;
  do {
    const query = new URLSearchParams({ limit: '1000', sources: 'url', ...(page === null ? {} : { page }) });
    const found: Page<SessionEvent> = await get(
      `/v1/sessions/${encodeURIComponent(id)}/events?${query.toString()}`,
      signal,
    );
    events.push(...found.data);
    page = found.next_page;
  } while (page !== null);
  return events;
}

export interface Health {
  readonly desktop: { readonly available: boolean; readonly reason: string | null };
}

export function retrieveHealth(signal: AbortSignal): Promise<Health> {
  return get('/health', signal);
}

export interface Agent {
  readonly id: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly archived_at: string | null;
}

export function listAgents(): Promise<Page<Agent>> {
  return get('/v1/agents?limit=100');
}

export function createAgent(body: object): Promise<Agent> {
  return post('/v1/agents', body);
}

export function createSession(body: object): Promise<Session> {
  return post('/v1/sessions', body);
}
