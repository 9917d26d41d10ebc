import { perMessage } from '../api/per-message.ts';

/** Stands in the place of a screenshot that the model does not see any more. */
export const OMITTED_PICTURE = '[an earlier screenshot, left out]';

interface Part {
  readonly type: string;
  readonly cache_control?: unknown;
}
interface Block {
  readonly type: string;
  readonly is_error?: boolean;
  readonly content?: unknown;
}
/** The fields of a turn that matter here. A session's turns hold pictures by reference, a request's by value. */
interface Turn {
  readonly role: string;
  readonly content?: string | readonly Block[];
}

/**
 * Leaves out the oldest screenshots, the pictures of tool results, so that a long conversation's requests stay bounded.
 * They go in chunks of `keep`: between `keep` and `2 * keep - 1` of the newest stay, and a request mostly begins as the
 * one before did, which a prompt cache rewards. Pictures that the user sent stay, and so do results that are errors.
 */
export function keepScreenshots<T extends Turn>(turns: readonly T[], keep: number): readonly T[] {
  const counts = screenshotCounts(turns);
  const total = counts.reduce((sum, count) => sum + count, 0);
  let surplus = Math.floor(Math.max(0, total - keep) / keep) * keep;
  if (surplus === 0) return turns;
  return turns.map((turn, index): T => {
    const count = counts[index] ?? 0;
    if (surplus === 0 || count === 0) return turn;
    const omitting = Math.min(surplus, count);
    surplus -= omitting;
    return omitting === count ? withoutAny(turn, count) : without(turn, omitting);
  });
}

const bare = new WeakMap<Turn, Turn>();

/** Past turns are the same objects in each request, so their shortened forms are kept too. */
function withoutAny<T extends Turn>(turn: T, count: number): T {
  const known = bare.get(turn) as T | undefined;
  const made = known ?? without(turn, count);
  if (known === undefined) bare.set(turn, made);
  return made;
}

/** The turn without its first `count` screenshots. */
function without<T extends Turn>(turn: T, count: number): T {
  let left = count;
  const content = (turn.content as readonly Block[]).map((block): Block => {
    const parts = partsOf(block);
    if (parts === undefined || left === 0) return block;
    const kept = parts.map((part) => {
      if (part.type !== 'image' || left === 0) return part;
      left--;
      return omitted(part);
    });
    return { ...block, content: kept };
  });
  return { ...turn, content };
}

/** Replaces a picture by the text; the client's cache breakpoint stays. */
function omitted({ cache_control: breakpoint }: Part): Part & { readonly text: string } {
  const text = { type: 'text', text: OMITTED_PICTURE };
  return breakpoint == null ? text : { ...text, cache_control: breakpoint };
}

function screenshotsIn({ role, content }: Turn): number {
  if (role !== 'user' || !Array.isArray(content)) return 0;
  return (content as readonly Block[]).reduce(
    (sum, block) => sum + (partsOf(block)?.filter(({ type }) => type === 'image').length ?? 0),
    0,
  );
}

const screenshotCounts = perMessage(screenshotsIn);

function partsOf({ type, is_error, content }: Block): readonly Part[] | undefined {
  const isShown = type === 'tool_result' && is_error !== true && Array.isArray(content);
  return isShown ? (content as readonly Part[]) : undefined;
}
