import type { ContentBlockParam, MessageParam, TextBlockParam, ToolParam } from '../api/api-types.ts';
import type { ModelRequest } from '../api/request.ts';

/** The API takes this many breakpoints in one request. */
const MOST = 4;
/** This many of the newest user turns end in a breakpoint, so that the next request finds the cache of this one. */
const TURNS = 3;

interface Markable {
  readonly cache_control?: { readonly ttl?: string | null } | null;
}

/**
 * Places cache breakpoints for an agent loop: after tools and system, and after each of the newest three user turns.
 * There are never more than the four that the API takes; the client's own stay and come first.
 */
export function withBreakpoints(request: ModelRequest): ModelRequest {
  const own = marksOf(request);
  // For the request's own field the API places a breakpoint itself.
  let free = MOST - own.length - (request.cache_control == null ? 0 : 1);
  if (free <= 0) return request;
  const longLived = lastLongLived(own, request);
  const mark = (place: number): { type: 'ephemeral'; ttl?: '1h' } =>
    // A breakpoint of an hour may not come after one of five minutes.
    place < longLived ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' };

  let { tools, system } = request;
  if (!hasMark(system) && !hasMark(tools)) {
    const marked = markSystem(system, mark(SYSTEM));
    if (marked !== undefined) system = marked;
    const last = tools.findLastIndex((tool) => !isDeferred(tool));
    if (marked === undefined && last !== -1) {
      tools = tools.with(last, { ...tools[last], cache_control: mark(TOOLS) } as ToolParam);
    }
    if (marked !== undefined || last !== -1) free--;
  }

  const messages = [...request.messages];
  const newest = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-TURNS);
  for (const index of newest.reverse()) {
    const turn = messages[index];
    if (free === 0 || turn === undefined) break;
    const marked = markTurn(turn, mark(index));
    if (marked === undefined) continue;
    messages[index] = marked;
    free--;
  }
  return { ...request, tools, messages, ...(system === undefined ? {} : { system }) };
}

/** Places in the order in which the API reads a request; messages come by their index. */
const TOOLS = -2;
const SYSTEM = -1;

interface Mark {
  readonly place: number;
  readonly ttl: string | null | undefined;
}

/** The client's own breakpoints, in the order in which the API reads them. */
function marksOf({ tools, system, messages }: ModelRequest): readonly Mark[] {
  const found: Mark[] = [];
  const look = (blocks: unknown, place: number): void => {
    if (!Array.isArray(blocks)) return;
    for (const block of blocks as (Markable & { readonly content?: unknown })[]) {
      look(block.content, place);
      if (block.cache_control != null) found.push({ place, ttl: block.cache_control.ttl });
    }
  };
  look(tools, TOOLS);
  look(system, SYSTEM);
  for (const [place, { content }] of messages.entries()) look(content, place);
  return found;
}

/**
 * The place of the last breakpoint of an hour. Our own stands at a message's end, so it comes after others in there.
 */
function lastLongLived(marks: readonly Mark[], request: ModelRequest): number {
  if (request.cache_control?.ttl === '1h') return Infinity;
  return Math.max(-Infinity, ...marks.flatMap(({ place, ttl }) => (ttl === '1h' ? [place] : [])));
}

function hasMark(blocks: string | readonly Markable[] | undefined): boolean {
  return (
    Array.isArray(blocks) && (blocks as readonly Markable[]).some((block) => block.cache_control != null)
  );
}

interface Deferrable {
  readonly defer_loading?: boolean | null;
}

/** Whether a tool is loaded on demand. The API refuses a breakpoint on such a tool, which stands in no cache. */
function isDeferred(tool: ToolParam): boolean {
  const { default_config: ofAll, configs } = tool as {
    readonly default_config?: Deferrable | null;
    readonly configs?: Readonly<Record<string, Deferrable | null>> | null;
  };
  const settings = [tool as Deferrable, ofAll, ...Object.values(configs ?? {})];
  return settings.some((each) => each?.defer_loading === true);
}

function markSystem(
  system: ModelRequest['system'],
  cache_control: { type: 'ephemeral'; ttl?: '1h' },
): readonly TextBlockParam[] | undefined {
  if (system === undefined) return undefined;
  const blocks: readonly TextBlockParam[] =
    typeof system === 'string' ? [{ type: 'text', text: system }] : system;
  const last = blocks.at(-1);
  if (last === undefined || last.text.trim() === '') return undefined;
  return [...blocks.slice(0, -1), { ...last, cache_control }];
}

/** Undefined where the turn has a breakpoint already or nothing that can carry one. */
function markTurn(
  turn: MessageParam,
  cache_control: { type: 'ephemeral'; ttl?: '1h' },
): MessageParam | undefined {
  const { content } = turn;
  if (content === undefined || content.length === 0) return undefined;
  if (typeof content === 'string') {
    if (content.trim() === '') return undefined;
    return { ...turn, content: [{ type: 'text', text: content, cache_control }] } as MessageParam;
  }
  const last = content.at(-1);
  if (last === undefined || !canCarry(last)) return undefined;
  return { ...turn, content: [...content.slice(0, -1), { ...last, cache_control }] } as MessageParam;
}

function canCarry(block: ContentBlockParam): boolean {
  if ((block as Markable).cache_control != null) return false;
  switch (block.type) {
    case 'text':
      return block.text.trim() !== '';
    case 'image':
    case 'document':
    case 'search_result':
    case 'tool_result':
      return true;
    default:
      return false;
  }
}
