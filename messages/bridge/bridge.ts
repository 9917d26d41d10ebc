import type { ModelProvider, ModelReply, ReplyOptions } from '../providers/provider.ts';
import type { ModelRequest } from '../api/request.ts';
import type { ContentBlock, StreamEvent, Usage } from '../api/api-types.ts';
import { countInputTokens } from '../tokens/request-tokens.ts';
import type { ToolGenerations } from '../tools/generations.ts';
import { bridgedStream } from './bridged-stream.ts';
import { type BridgePlan, planBridge } from './plan.ts';
import { isCut } from '../stream/collect-message.ts';
import { addUsage } from './add-usage.ts';
import { askAgain, givenUp, isEmpty, isThinking, MOST_REASKS, optionsOf, type Refusal } from './ask-again.ts';

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

interface Taken {
  readonly blocks: readonly ContentBlock[];
  /** The first use that the client cannot do; the blocks after it are dropped. */
  readonly refusal?: Refusal;
}

function takeBlocks(plan: BridgePlan, { content, stop_reason: stop }: ModelReply, reasks: number): Taken {
  const blocks: ContentBlock[] = [];
  for (const [index, block] of content.entries()) {
    if (reasks > 0 && isThinking(block)) continue;
    if (block.type !== 'tool_use' || !plan.maps(block)) {
      blocks.push(block);
      continue;
    }
    // The API gives a use that was cut off an empty input, which could be a valid one.
    if (index === content.length - 1 && isCut(stop) && isEmpty(block.input)) continue;
    const { blocks: own, refused } = plan.toClient(block);
    if (own === undefined) return { blocks, refusal: { id: block.id, reason: refused } };
    blocks.push(...own);
  }
  return { blocks };
}

/** Has a request answered through the bridge with a whole reply. */
async function bridgedReply(
  provider: ModelProvider,
  plan: BridgePlan,
  options: ReplyOptions,
): Promise<ModelReply> {
  const content: ContentBlock[] = [];
  let { request } = plan;
  let id: string | undefined;
  let usage: Usage | undefined;
  for (let reasks = 0; ; reasks += 1) {
    const reply = await provider.reply(request, optionsOf(options, reasks));
    id ??= reply.id;
    usage = usage === undefined ? reply.usage : addUsage(usage, reply.usage);
    const { blocks, refusal } = takeBlocks(plan, reply, reasks);
    content.push(...blocks);
    const whole = { ...reply, id, content, usage };
    if (refusal === undefined || reply.stop_reason !== 'tool_use') return whole;
    if (blocks.some((block) => block.type === 'tool_use')) return whole;
    if (reasks === MOST_REASKS) {
      content.push({ type: 'text', text: givenUp(refusal), citations: null });
      return { ...whole, stop_reason: 'end_turn' };
    }
    request = askAgain(request, reply.content, refusal);
  }
}
