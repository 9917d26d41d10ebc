import type { StreamEvent } from '../api/api-types.ts';
import type { ModelRequest } from '../api/request.ts';
import type { ModelProvider, ReplyOptions } from '../providers/provider.ts';

interface Naming {
  /** The provider's name in the configuration, for the request's log line. */
  readonly provider: string;
  /** The client's name for the model. */
  readonly client: string;
  /** The upstream's name for the model. */
  readonly upstream: string;
}

/**
 * Asks a provider with the upstream's name for the model and answers with the client's name. Where both are the same,
 * the name in the upstream's answer stays, since it may resolve an alias to a dated name.
 */
export function withModelName(
  provider: ModelProvider,
  { provider: name, client, upstream }: Naming,
): ModelProvider {
  const same = client === upstream;
  const asked = (request: ModelRequest): ModelRequest => (same ? request : { ...request, model: upstream });
  const tell = ({ trace }: ReplyOptions): void => trace?.({ provider: name });
  const counted = provider.countTokens?.bind(provider);

  async function* withClientName(events: AsyncIterable<StreamEvent>): AsyncGenerator<StreamEvent> {
    for await (const event of events) {
      yield event.type === 'message_start'
        ? { ...event, message: { ...event.message, model: client } }
        : event;
    }
  }

  return {
    name: provider.name,
    async reply(request, options) {
      tell(options);
      const reply = await provider.reply(asked(request), options);
      return same ? reply : { ...reply, model: client };
    },
    stream(request, options) {
      tell(options);
      const events = provider.stream(asked(request), options);
      return same ? events : withClientName(events);
    },
    ...(counted === undefined
      ? {}
      : {
          countTokens: (request, options) => {
            tell(options);
            return counted(asked(request), options);
          },
        }),
  };
}
