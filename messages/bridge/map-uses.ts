import type { ContentBlockParam, ToolUseBlockParam } from '../api/api-types.ts';
import { partIds, partOf } from './part-ids.ts';
import type { ToolPair, Use } from './tool-pair.ts';

/** The upstream's uses that stand for one use of the client, or for its parts. */
export interface UpstreamUses {
  /** Ids of the client's tool uses, in order. */
  readonly parts: readonly string[];
  /** The name of each part's action, for error texts. */
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

/** The tools whose uses in a conversation are translated. */
export interface Recorded {
  readonly pairs: readonly ToolPair[];
  /** The names of the client's other tools, whose uses belong to no pair. */
  readonly others: ReadonlySet<string>;
}

function pairOf({ pairs, others }: Recorded, block: ContentBlockParam): ToolPair | undefined {
  if (block.type !== 'tool_use') return undefined;
  if (block.toolset_name == null && others.has(block.name)) return undefined;
  return pairs.find((pair) => pair.isRecorded(block));
}

/** Collects the parts of one use from `start` on; only the first block where the parts are not all there in a row. */
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

/** Translates the tool uses in an assistant's message to the upstream's generation. */
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
    // Parts that do not make up one action were changed by somebody, so each becomes an action of its own.
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
