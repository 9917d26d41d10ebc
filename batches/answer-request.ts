import { type ApiError, InvalidRequestError } from '@steadyhand/contracts';
import {
  collectMessage,
  type FileContents,
  hasLoneSurrogate,
  type Message,
  parseMessageRequest,
  type ProviderRegistry,
  type ReplyOptions,
  resolveFiles,
  streamMessage,
} from '@steadyhand/messages';
import type { StoredResult } from '@steadyhand/store';

export interface AnswerOptions extends ReplyOptions {
  readonly providers: ProviderRegistry;
  readonly files: FileContents;
  /** Those that the batch was created with. */
  readonly betas: readonly string[];
}

/**
 * The message that answers one request of a batch.
 * @param params JSON in UTF-8; checked here as `POST /v1/messages` checks its body
 * @throws {ApiError} see `messages/api/errors.ts`; the signal's reason when it was aborted
 */
export async function answerRequest(
  params: Uint8Array,
  { providers, files, betas, ...options }: AnswerOptions,
): Promise<Message> {
  const bytes = Buffer.from(params);
  if (hasLoneSurrogate(bytes)) {
    throw new InvalidRequestError('The request body is not valid JSON: a string holds half a surrogate pair');
  }
  const body: unknown = JSON.parse(bytes.toString('utf8'));
  const request = parseMessageRequest(body, { betas });
  if (request.stream) throw new InvalidRequestError('stream: Streaming is not supported in a batch');
  const resolved = await resolveFiles(request, files);
  // Asked for as a stream: a long reply is not cut by a bound on its whole, and one that stalls is noticed early.
  return await collectMessage(streamMessage(resolved, { providers, ...options }));
}

/** What is kept of a request that was answered. */
export function succeeded(message: Message): StoredResult {
  return { type: 'succeeded', json: JSON.stringify({ type: 'succeeded', message }) };
}

/** What is kept of a request that cannot be answered. */
export function errored(error: ApiError): StoredResult {
  // The request has no id of its own: it never was one over HTTP.
  const body = { ...error.body(), request_id: null };
  return { type: 'errored', json: JSON.stringify({ type: 'errored', error: body }) };
}
