import { type ApiAnswer, type ApiKey, addressOf, type Asked } from './api.ts';
import { access } from './access.ts';
import { connection } from './connection.ts';
import { commonHeaders, messageIn, RequestFailedError } from './request.ts';

interface UploadOptions {
  /** Told how many bytes are sent so far. */
  readonly onProgress?: (bytes: number) => void;
  readonly signal?: AbortSignal;
  /** Of a blob; default `application/octet-stream`. */
  readonly contentType?: string;
}

/**
 * Sends bytes to a route and tells how far it is, which `fetch` cannot. Throws RequestFailedError with the server's message, and
 * the signal's reason when it was aborted.
 */
export function upload<K extends ApiKey>(
  key: K,
  asked: Asked<K>,
  body: Blob | FormData,
  options: UploadOptions = {},
): Promise<ApiAnswer<K>> {
  const method = key.slice(0, key.indexOf(' '));
  return uploadTo(method, addressOf(key, asked), body, options) as Promise<ApiAnswer<K>>;
}

/** The same for an address that is put together by hand; answers the JSON. */
export function uploadTo(
  method: string,
  address: string,
  body: Blob | FormData,
  { onProgress, signal, contentType = 'application/octet-stream' }: UploadOptions = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const sent = new XMLHttpRequest();
    sent.open(method, address);
    for (const [name, value] of Object.entries(commonHeaders())) sent.setRequestHeader(name, value);
    if (body instanceof Blob) sent.setRequestHeader('content-type', contentType);
    sent.upload.addEventListener('progress', ({ loaded }) => onProgress?.(loaded));
    sent.addEventListener('load', () => {
      connection.set('open');
      if (sent.status >= 200 && sent.status < 300) return resolve(jsonOf(sent.responseText));
      const failure = new RequestFailedError(sent.status, refusalOf(sent));
      if (failure.status === 401) access.set({ kind: 'refused', message: failure.message });
      reject(failure);
    });
    sent.addEventListener('error', () => {
      connection.set('lost');
      reject(new RequestFailedError(0, 'The server cannot be reached.'));
    });
    sent.addEventListener('abort', () => reject(abortError(signal)));
    if (signal?.aborted === true) return reject(abortError(signal));
    signal?.addEventListener('abort', () => sent.abort(), { once: true });
    sent.send(body);
  });
}

function abortError(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException('The upload was stopped.', 'AbortError');
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function refusalOf({ status, responseText }: XMLHttpRequest): string {
  const body = jsonOf(responseText);
  const told = typeof body === 'object' && body !== null ? messageIn(body) : undefined;
  return told ?? `The server answered ${status}.`;
}
