import type { Message, StreamEvent } from './api/api-types.ts';
import type { ReplyOptions } from './providers/provider.ts';
import type { ProviderRegistry } from './routing/registry.ts';
import type { MessageRequest, ModelRequest } from './api/request.ts';

interface CreateMessageOptions extends ReplyOptions {
  readonly providers: ProviderRegistry;
}

/** `stream` says how the client wants its answer, which is not the model's affair. */
function modelRequest(request: MessageRequest): ModelRequest {
  const { stream: _stream, ...asked } = request;
  return asked;
}

/**
 * The whole reply to a request of the Messages API: what `POST /v1/messages` sends back without `stream`.
 *
 * @throws {ApiError} see `errors.ts`; the signal's reason when it was aborted.
 */
export async function createMessage(
  request: MessageRequest,
  { providers, ...options }: CreateMessageOptions,
): Promise<Message> {
  return providers.providerFor(request.model).reply(modelRequest(request), options);
}

/**
 * The reply as the events of a stream: what `POST /v1/messages` sends with `stream: true`, without pings. Nothing is asked
 * before the first event is; leaving the loop ends the work upstream.
 *
 * @throws {ApiError} at once where no provider answers for the model; else in the place of the event that failed.
 */
export function streamMessage(
  request: MessageRequest,
  { providers, ...options }: CreateMessageOptions,
): AsyncIterable<StreamEvent> {
  return providers.providerFor(request.model).stream(modelRequest(request), options);
}
