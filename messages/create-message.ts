import type { Message, StreamEvent } from './api/api-types.ts';
import type { ReplyOptions } from './providers/provider.ts';
import type { ProviderRegistry } from './routing/registry.ts';
import type { MessageRequest, ModelRequest } from './api/request.ts';

interface CreateMessageOptions extends ReplyOptions {
  readonly providers: ProviderRegistry;
}

/** Removes `stream`, which is about the client's answer and not the model's. */
function modelRequest(request: MessageRequest): ModelRequest {
  const { stream: _stream, ...asked } = request;
  return asked;
}

/**
 * Has a request answered with a whole reply, which is what `POST /v1/messages` sends without `stream`.
 *
 * @example const message = await createMessage(request, { providers, signal });
 * @throws {ApiError} see `api/errors.ts`; the signal's reason when it was aborted
 */
export async function createMessage(
  request: MessageRequest,
  { providers, ...options }: CreateMessageOptions,
): Promise<Message> {
  return providers.providerFor(request.model).reply(modelRequest(request), options);
}

/**
 * Has a request answered with the events that `POST /v1/messages` sends with `stream: true`, without pings. The
 * provider is asked when the first event is read; leaving the loop ends the work upstream.
 *
 * @example for await (const event of streamMessage(request, { providers, signal })) write(event);
 * @throws {ApiError} at once where no provider answers for the model, otherwise in place of the event that failed
 */
export function streamMessage(
  request: MessageRequest,
  { providers, ...options }: CreateMessageOptions,
): AsyncIterable<StreamEvent> {
  return providers.providerFor(request.model).stream(modelRequest(request), options);
}
