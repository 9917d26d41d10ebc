import { InvalidRequestError } from '@steadyhand/contracts';
import type { ContentBlockParam, ToolResultBlockParam } from '../api/api-types.ts';
import type { UpstreamUses } from './map-uses.ts';

type Content = Exclude<NonNullable<ToolResultBlockParam['content']>, string>;
type Block = Content[number];

function blocksOf({ content }: ToolResultBlockParam): Content {
  if (content === undefined || content === '') return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

const POSITION = /^X=(\d+),\s*Y=(\d+)$/;

/** Removes the space from `X=512, Y=384`, which only the documentation's example of the toolset has. */
function plainPosition(block: Block): Block {
  if (block.type !== 'text') return block;
  const found = POSITION.exec(block.text);
  return found === null ? block : { ...block, text: `X=${found[1]},Y=${found[2]}` };
}

/** Adds a full stop where there is none, so that another sentence may follow. */
function sentence(text: string): string {
  return /[.!?]$/.test(text.trimEnd()) ? text : `${text}.`;
}

function isText(block: Block): block is Extract<Block, { type: 'text' }> {
  return block.type === 'text';
}

/**
 * Joins the results of the parts of one use. All texts stay in their order. Of the pictures only those of the last part
 * with any stay, since earlier ones show the screen half way. A failed part makes the whole an error, whose text names
 * the part and says that the client carried out the parts after it.
 */
function joined(
  parts: readonly ToolResultBlockParam[],
  names: readonly string[],
): Pick<ToolResultBlockParam, 'content' | 'is_error'> {
  const failed = parts.findIndex((part) => part.is_error === true);
  if (failed === -1) {
    const pictured = parts.findLastIndex((part) => blocksOf(part).some((block) => !isText(block)));
    const content = parts.flatMap((part, index) =>
      blocksOf(part).filter((block) => isText(block) || index === pictured),
    );
    return { content, ...(parts.some((part) => part.is_error !== undefined) ? { is_error: false } : {}) };
  }
  const lines = parts.map((part, index) => {
    const name = names[index] ?? 'the action';
    const said = blocksOf(part)
      .filter(isText)
      .map(({ text }) => text)
      .join('\n');
    if (part.is_error === true)
      return sentence(`${name} failed: ${said === '' ? 'no reason was given' : said}`);
    const done = index > failed ? `${name} was carried out all the same` : `${name} was carried out`;
    return sentence(said === '' ? done : `${done}: ${said}`);
  });
  return { content: [{ type: 'text', text: lines.join('\n') }], is_error: true };
}

function checked(content: ToolResultBlockParam['content'], uses: UpstreamUses, path: string): void {
  if (uses.toolset === undefined || !Array.isArray(content)) return;
  const other = content.find(({ type }) => type !== 'text' && type !== 'image');
  if (other === undefined) return;
  throw new InvalidRequestError(
    `${path}: the model takes computer_toolset_20260801, whose results hold text and images alone, not ${other.type}`,
  );
}

/** Translates the client's results for a use or its parts into results for the upstream's uses. */
export function mapResults(
  uses: UpstreamUses,
  results: readonly ToolResultBlockParam[],
  path: string,
): ContentBlockParam[] {
  const [first] = results;
  if (first === undefined) return [];
  const whole = results.length === 1 ? first : { ...first, ...joined(results, uses.names) };
  checked(whole.content, uses, path);
  const { toolset_name: _toolset, cache_control: _cache, ...rest } = whole;
  const cache = results.findLast((result) => result.cache_control != null)?.cache_control;
  const content = Array.isArray(whole.content) ? whole.content.map(plainPosition) : whole.content;
  const failed = whole.is_error === true;
  const last = uses.ids.length - 1;
  return uses.ids.map((id, index): ToolResultBlockParam => {
    // Where one action of the client is several upstream, the last of them gets the content, and a failure goes to all.
    const { content: _, ...bare } = rest;
    const own = index === last || failed ? { ...rest, ...(content === undefined ? {} : { content }) } : bare;
    return {
      ...own,
      tool_use_id: id,
      ...(uses.toolset === undefined ? {} : { toolset_name: uses.toolset }),
      ...(cache == null || index < last ? {} : { cache_control: cache }),
    };
  });
}
