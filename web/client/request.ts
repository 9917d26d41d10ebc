import { access, storedKey } from './access.ts';
import { connection } from './connection.ts';

/** An answer that is no success. `status` is 0 when there was no answer. */
export class RequestFailedError extends Error {
  override readonly name = 'RequestFailedError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** `fetch`'s options, with headers as a plain object. */
type PlainInit = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> };

/** The Messages API's routes, those of files and models among them, ask which version is meant. */
const VERSION = { 'anthropic-version': '2023-06-01' };

/** Sends a request to this server, with the key where there is one; throws RequestFailedError with the server's message. */
export async function request(path: string, init: PlainInit = {}): Promise<Response> {
  const key = storedKey();
  const headers = { ...VERSION, ...(key === null ? {} : { 'x-api-key': key }), ...init.headers };
  let response: Response;
  try {
    response = await fetch(path, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted === true) throw error;
    connection.set('lost');
    throw new RequestFailedError(0, 'The server cannot be reached.');
  }
  connection.set('open');
  if (response.ok) return response;
  const failure = new RequestFailedError(response.status, await errorMessage(response));
  if (failure.status === 401) access.set({ kind: 'refused', message: failure.message });
  throw failure;
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
  const otherwise =
    response.statusText === '' ? `The server answered ${response.status}.` : response.statusText;
  try {
    return messageIn((await response.json()) as ErrorBody) ?? otherwise;
  } catch {
    return otherwise;
  }
}
