import type { ContentBlockParam, ToolUseBlockParam } from '../api/api-types.ts';
import { partIds, partOf } from './part-ids.ts';
import type { ToolPair, Use } from './tool-pair.ts';

/** The upstream's uses that stand for one use of the client's, or for the parts of one. */
export interface UpstreamUses {
  /** Ids of the client's tool uses, in order. */
  readonly parts: readonly string[];
  /** What each part did, for texts. */
  readonly names: readonly string[];
  /** Ids upstream, in order. */
  readonly ids: readonly string[];
  /** `toolset_name` of the uses upstream. */
  readonly toolset: string | undefined;
}

interface MappedUses {
  readonly content: readonly ContentBlockParam[];
  readonly uses: readonly UpstreamUses[];
}

type ToolUse = ToolUseBlockParam;

/** The tools of a conversation whose uses change. */
export interface Recorded {
  readonly pairs: readonly ToolPair[];
  /** Names of the client's other tools: a use of one of them is of no pair, whatever its name. */
  readonly others: ReadonlySet<string>;
}

function pairOf({ pairs, others }: Recorded, block: ContentBlockParam): ToolPair | undefined {
  if (block.type !== 'tool_use') return undefined;
  if (block.toolset_name == null && others.has(block.name)) return undefined;
  return pairs.find((pair) => pair.isRecorded(block));
}

/** The blocks from `start` on that are all the parts of one use; just the first where not all of them follow each other. */
function partsAt(
  content: readonly ContentBlockParam[],
  start: number,
  pair: ToolPair,
): { base: string; blocks: ToolUse[] } {
  const first = content[start] as ToolUse;
  const part = partOf(first.id);
  const alone = { base: first.id, blocks: [first] };
  if (part === undefined || part.part !== 1) return alone;
  const blocks = content.slice(start, start + part.of).filter((block) => block.type === 'tool_use');
  const whole =
    blocks.length === part.of &&
    blocks.every((block, index) => {
      const own = partOf(block.id);
      return (
        own?.base === part.base && own.part === index + 1 && own.of === part.of && pair.isRecorded(block)
      );
    });
  return whole ? { base: part.base, blocks } : alone;
}

function actionName({ name, input, toolset_name: toolset }: Use): string {
  const said = (input as { readonly action?: unknown } | null)?.action;
  return toolset == null && typeof said === 'string' ? said : name;
}

function upstreamBlocks(parts: readonly ToolUse[], ids: readonly string[], uses: readonly Use[]): ToolUse[] {
  const [first] = parts;
  if (first === undefined) return [];
  const { toolset_name: _toolset, cache_control: _cache, ...rest } = first;
  const cache = parts.findLast((part) => part.cache_control != null)?.cache_control;
  return uses.map(({ name, input, toolset_name: toolset }, index) => ({
    ...rest,
    id: ids[index] ?? first.id,
    name,
    input,
    ...(toolset == null ? {} : { toolset_name: toolset }),
    ...(cache == null || index < uses.length - 1 ? {} : { cache_control: cache }),
  }));
}

/** The blocks of an assistant's message with its tool uses in the upstream's generation. */
export function mapUses(content: readonly ContentBlockParam[], recorded: Recorded): MappedUses {
  const mapped: ContentBlockParam[] = [];
  const found: UpstreamUses[] = [];
  for (let index = 0; index < content.length; index += 1) {
    const block = content[index] as ContentBlockParam;
    const pair = pairOf(recorded, block);
    if (pair === undefined || block.type !== 'tool_use') {
      mapped.push(block);
      continue;
    }
    const group = partsAt(content, index, pair);
    const joined = pair.toUpstream(group.blocks);
    // Parts that make up no one action have been changed on the way; each is then an action of its own.
    const base = joined === undefined ? block.id : group.base;
    const parts = joined === undefined ? [block] : group.blocks;
    const uses = joined ?? pair.toUpstream([block]) ?? [block];
    const ids = uses.length === 1 ? [base] : partIds(base, uses.length);
    mapped.push(...upstreamBlocks(parts, ids, uses));
    found.push({
      parts: parts.map(({ id }) => id),
      names: parts.map(actionName),
      ids,
      toolset: uses[0]?.toolset_name ?? undefined,
    });
    index += parts.length - 1;
  }
  return { content: mapped, uses: found };
}
