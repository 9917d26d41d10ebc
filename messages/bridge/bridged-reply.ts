import type { ContentBlock, Usage } from '../api/api-types.ts';
import type { ModelProvider, ModelReply, ReplyOptions } from '../providers/provider.ts';
import { isCut } from '../stream/collect-message.ts';
import { addUsage } from './add-usage.ts';
import { askAgain, givenUp, isEmpty, isThinking, MOST_REASKS, optionsOf, type Refusal } from './ask-again.ts';
import type { BridgePlan } from './plan.ts';

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
export async function bridgedReply(
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
