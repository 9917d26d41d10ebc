import type { ModelProvider, ModelReply, ReplyOptions } from '../providers/provider.ts';
import type { ModelRequest } from '../api/request.ts';
import type { StreamEvent } from '../api/api-types.ts';
import { countInputTokens } from '../tokens/request-tokens.ts';
import type { ToolGenerations } from '../tools/generations.ts';
import { bridgedReply } from './bridged-reply.ts';
import { bridgedStream } from './bridged-stream.ts';
import { planBridge } from './plan.ts';

class BridgedProvider implements ModelProvider {
  readonly #provider: ModelProvider;
  readonly #taken: ToolGenerations;

  constructor(provider: ModelProvider, taken: ToolGenerations) {
    this.#provider = provider;
    this.#taken = taken;
  }

  get name(): string {
    return this.#provider.name;
  }

  async reply(request: ModelRequest, options: ReplyOptions): Promise<ModelReply> {
    const plan = planBridge(request, this.#taken);
    if (plan === undefined) return this.#provider.reply(request, options);
    return bridgedReply(this.#provider, plan, options);
  }

  async *stream(request: ModelRequest, options: ReplyOptions): AsyncGenerator<StreamEvent, void, undefined> {
    const plan = planBridge(request, this.#taken);
    if (plan === undefined) yield* this.#provider.stream(request, options);
    else yield* bridgedStream(this.#provider, plan, options);
  }

  async countTokens(request: ModelRequest, options: ReplyOptions): Promise<number> {
    const asked = planBridge(request, this.#taken)?.request ?? request;
    return (await this.#provider.countTokens?.(asked, options)) ?? countInputTokens(asked);
  }
}

/**
 * Lets clients of any generation use a provider whose model takes these generations of the tools. Requests are
 * translated to the model's generations, replies to the client's. A request whose tools the model takes goes through
 * unchanged.
 *
 * Nothing is kept between requests, since the ids of tool uses hold what later requests need.
 *
 * @throws {InvalidRequestError} from each method, when a request cannot be translated to the model's generations
 * @see docs/bridge.md for what becomes what, and what is refused
 */
export function withBridge(provider: ModelProvider, taken: ToolGenerations): ModelProvider {
  return new BridgedProvider(provider, taken);
}
