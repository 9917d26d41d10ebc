import { OMITTED_PICTURE } from '../../context/keep-screenshots.ts';
import { isRecord } from '../../api/is-record.ts';
import type { PlainBlock, PlainMessage, PlainRequest } from './plain-request.ts';

/**
 * How much of a request must equal the recorded one. `exact` compares everything except ids. `text` (the default)
 * compares the system prompt, tools and their choice, texts, tool uses and results, but only the presence of pictures,
 * since no two screenshots are equal. `shape` compares the order of turns, blocks and tools by name.
 */
export const MATCHES = ['exact', 'text', 'shape'] as const;
export type Match = (typeof MATCHES)[number];

export interface Comparing {
  readonly match: Match;
  /** Matches of these in texts differ from run to run and are not compared. */
  readonly ignore: readonly RegExp[];
}

/** The compared part of a request, as plain JSON. */
type Comparable = Readonly<Record<string, unknown>>;

const TEXT_FIELDS = ['system', 'tools', 'tool_choice'] as const;

/** Replaces ids, which differ in each run, by the number of their tool use. */
class Ids {
  readonly #known = new Map<unknown, string>();
  nameOf(id: unknown): string {
    const name = this.#known.get(id) ?? `tool_use ${this.#known.size + 1}`;
    this.#known.set(id, name);
    return name;
  }
}

function withoutIgnored(value: unknown, ignore: readonly RegExp[]): unknown {
  if (ignore.length === 0) return value;
  if (typeof value === 'string') return ignore.reduce((text, each) => text.replaceAll(each, ''), value);
  if (Array.isArray(value)) return value.map((each) => withoutIgnored(each, ignore));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withoutIgnored(each, ignore)]));
}

function isPicture(block: PlainBlock): boolean {
  return block.type === 'image' || (block.type === 'text' && block['text'] === OMITTED_PICTURE);
}

const isThinking = ({ type }: PlainBlock): boolean => type === 'thinking' || type === 'redacted_thinking';

function resultBlocks(block: PlainBlock): readonly PlainBlock[] {
  return Array.isArray(block['content']) ? (block['content'] as PlainBlock[]) : [];
}

function exactBlock(block: PlainBlock, ids: Ids): PlainBlock {
  if (block.type === 'tool_use') return { ...block, id: ids.nameOf(block['id']) };
  if (block.type === 'tool_result') return { ...block, tool_use_id: ids.nameOf(block['tool_use_id']) };
  if (!isThinking(block)) return block;
  // Signatures differ in every reply.
  const { signature: _signature, data: _data, ...rest } = block;
  return rest as PlainBlock;
}

function textBlock(block: PlainBlock, ids: Ids): PlainBlock {
  if (block.type === 'image') return { type: 'image' };
  const exact = exactBlock(block, ids);
  if (block.type !== 'tool_result') return exact;
  const content = resultBlocks(block).map((part) => (isPicture(part) ? { type: 'image' } : part));
  return { ...exact, content };
}

function shapeBlock(block: PlainBlock): PlainBlock {
  const { type, name, toolset_name, is_error } = block;
  return Object.fromEntries(
    Object.entries({ type, name, toolset_name, is_error }).filter(([, value]) => value !== undefined),
  ) as PlainBlock;
}

function comparableMessage({ role, content }: PlainMessage, match: Match, ids: Ids): object {
  if (match === 'exact') return { role, content: content.map((block) => exactBlock(block, ids)) };
  const said = content.filter((block) => !isThinking(block));
  return {
    role,
    content: said.map((block) => (match === 'text' ? textBlock(block, ids) : shapeBlock(block))),
  };
}

/**
 * Extracts the part of a request that is compared.
 *
 * @param recorded the recorded request, which may be the same; fields that it lacks are not compared
 */
export function comparable(
  request: PlainRequest,
  recorded: PlainRequest,
  { match, ignore }: Comparing,
): Comparable {
  const ids = new Ids();
  const messages = request.messages.map((message) => comparableMessage(message, match, ids));
  if (match === 'shape') {
    const tools = recorded.tools === undefined ? {} : { tools: (request.tools ?? []).map(toolName) };
    return { ...tools, messages };
  }
  const names = match === 'exact' ? Object.keys(recorded) : TEXT_FIELDS.filter((name) => name in recorded);
  const extra = match === 'exact' && recorded.max_tokens !== undefined ? Object.keys(request) : [];
  const fields = [...new Set([...names, ...extra])].filter((name) => name !== 'messages');
  const told = fields.map((name) => [name, (request as unknown as Record<string, unknown>)[name]]);
  return withoutIgnored({ ...Object.fromEntries(told), messages }, ignore) as Comparable;
}

function toolName(tool: Readonly<Record<string, unknown>>): unknown {
  return tool['name'] ?? tool['type'];
}

/** The place of a request in its conversation: the number of replies before it. */
export function placeOf({ messages }: PlainRequest): number {
  return messages.filter(({ role }) => role === 'assistant').length;
}
