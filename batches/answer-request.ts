import { type ApiError, InvalidRequestError } from '@steadyhand/contracts';
import {
  collectMessage,
  type FileContents,
  loneSurrogateAt,
  type Message,
  parseMessageRequest,
  type ProviderRegistry,
  type ReplyOptions,
  resolveFiles,
  streamMessage,
} from '@steadyhand/messages';
import type { StoredResult } from '@steadyhand/store';

interface AnswerOptions extends ReplyOptions {
  readonly providers: ProviderRegistry;
  readonly files: FileContents;
  /** The betas that the batch was created with. */
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
  if (loneSurrogateAt(bytes) !== -1) {
    throw new InvalidRequestError('The request body is not valid JSON: a string holds half a surrogate pair');
  }
  const body: unknown = JSON.parse(bytes.toString('utf8'));
  const request = parseMessageRequest(body, { betas });
  if (request.stream) throw new InvalidRequestError('stream: Streaming is not supported in a batch');
  const resolved = await resolveFiles(request, files);
  // A stream has no time limit on the whole reply, so a long one is not cut, and a stalled one is noticed early.
  return await collectMessage(streamMessage(resolved, { providers, ...options }));
}

/** The result that is stored for a request that was answered. */
export function succeeded(message: Message): StoredResult {
  return { type: 'succeeded', json: JSON.stringify({ type: 'succeeded', message }) };
}

/** The result that is stored for a request that cannot be answered. */
export function errored(error: ApiError): StoredResult {
  // The request has no id, as it was not sent over HTTP by itself.
  const body = { ...error.body(), request_id: null };
  return { type: 'errored', json: JSON.stringify({ type: 'errored', error: body }) };
}
