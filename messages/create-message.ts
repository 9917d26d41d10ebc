import type { Message } from './api-types.ts';
import { InvalidRequest } from './errors.ts';
import type { ReplyOptions } from './providers/provider.ts';
import type { ProviderRegistry } from './providers/registry.ts';
import type { MessageRequest } from './request.ts';

export interface CreateMessageOptions extends ReplyOptions {
  readonly providers: ProviderRegistry;
}

/**
 * Answers a request of the Messages API: what `POST /v1/messages` sends back.
 *
 * @throws {ApiError} see `errors.ts`; the signal's reason when it was aborted.
 */
export async function createMessage(
  request: MessageRequest,
  options: CreateMessageOptions,
): Promise<Message> {
  if (request.stream) {
    throw new InvalidRequest(
      'stream: this server does not stream replies yet; send the request with `stream: false`',
    );
  }
  const { providers, ...replyOptions } = options;
  const { stream: _, ...modelRequest } = request;
  return providers.providerFor(request.model).reply(modelRequest, replyOptions);
}
