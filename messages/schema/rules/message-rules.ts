import { InvalidRequestError } from '@steadyhand/contracts';
import type {
  ContentBlockParam,
  MessageParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '../../api/api-types.ts';

/** A block with its place in the request. */
interface Placed {
  readonly message: number;
  readonly index: number;
  readonly block: ContentBlockParam;
}

/** Neighbouring messages of one role are one turn. */
interface Turn {
  readonly role: 'user' | 'assistant';
  /** Index of the turn's first message. */
  readonly first: number;
  readonly blocks: Placed[];
}

function asBlocks(content: string | readonly ContentBlockParam[]): readonly ContentBlockParam[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function turnsOf(messages: readonly MessageParam[]): Turn[] {
  const turns: Turn[] = [];
  for (const [message, { role, content = [] }] of messages.entries()) {
    // A system message does not end a turn.
    if (role === 'system') continue;
    const blocks = asBlocks(content).map((block, index) => ({ message, index, block }));
    const last = turns.at(-1);
    if (last?.role === role) {
      // `push(...blocks)` would fail for more blocks than a call may have arguments.
      for (const block of blocks) last.blocks.push(block);
    } else turns.push({ role, first: message, blocks });
  }
  return turns;
}

function checkText(block: TextBlockParam, path: string): void {
  if (block.text.trim() !== '') return;
  if (block.cache_control != null) {
    throw new InvalidRequestError(`${path}.text: cache_control cannot be set for empty text blocks`);
  }
  throw new InvalidRequestError(
    block.text === ''
      ? 'messages: text content blocks must be non-empty'
      : 'messages: text content blocks must contain non-whitespace text',
  );
}

function checkContent(messages: readonly MessageParam[]): void {
  for (const [index, message] of messages.entries()) {
    const { role, content = [] } = message;
    // A system message without content may set options for later turns.
    if (message.role === 'system' && content.length === 0 && message.output_config?.effort != null) continue;
    const isFinalAssistant = role === 'assistant' && index === messages.length - 1;
    if (content.length === 0 && !isFinalAssistant) {
      throw new InvalidRequestError(
        `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
      );
    }
    if (typeof content === 'string') {
      if (content !== '') checkText({ type: 'text', text: content }, `messages.${index}.content`);
    } else {
      for (const [place, block] of content.entries()) {
        if (block.type === 'text') checkText(block, `messages.${index}.content.${place}`);
      }
    }
    if (!isFinalAssistant) continue;
    const last = asBlocks(content as string | ContentBlockParam[]).at(-1);
    if (last?.type === 'text' && last.text !== last.text.trimEnd()) {
      throw new InvalidRequestError('messages: final assistant content cannot end with trailing whitespace');
    }
  }
}

const ONLY_IN: Readonly<Record<string, 'user' | 'assistant'>> = {
  tool_use: 'assistant',
  thinking: 'assistant',
  redacted_thinking: 'assistant',
  server_tool_use: 'assistant',
  web_search_tool_result: 'assistant',
  web_fetch_tool_result: 'assistant',
  advisor_tool_result: 'assistant',
  code_execution_tool_result: 'assistant',
  bash_code_execution_tool_result: 'assistant',
  text_editor_code_execution_tool_result: 'assistant',
  tool_search_tool_result: 'assistant',
  mcp_tool_use: 'assistant',
  mcp_tool_result: 'assistant',
  mcp_tool_listing: 'assistant',
  fallback: 'assistant',
  tool_result: 'user',
  image: 'user',
  document: 'user',
  search_result: 'user',
  container_upload: 'user',
};

function checkRoles(turns: readonly Turn[]): void {
  for (const turn of turns) {
    for (const { message, index, block } of turn.blocks) {
      const role = ONLY_IN[block.type];
      if (role !== undefined && role !== turn.role) {
        throw new InvalidRequestError(
          `messages.${message}.content.${index}: \`${block.type}\` blocks can only be in \`${role}\` messages`,
        );
      }
    }
  }
}

/** Collects the results at the beginning of a user's turn. A result after other content answers no tool use. */
function leadingResults(turn: Turn | undefined): Set<string> {
  const ids = new Set<string>();
  for (const { block } of turn?.role === 'user' ? turn.blocks : []) {
    if (block.type !== 'tool_result') break;
    ids.add(block.tool_use_id);
  }
  return ids;
}

function checkUses(turns: readonly Turn[]): void {
  const seen = new Set<string>();
  for (const [position, turn] of turns.entries()) {
    const uses = turn.blocks.filter(({ block }) => block.type === 'tool_use');
    const pending: string[] = [];
    for (const { message, index, block } of uses) {
      if (block.type !== 'tool_use') continue;
      if (seen.has(block.id)) {
        throw new InvalidRequestError(
          `messages.${message}.content.${index}: \`tool_use\` ids must be unique`,
        );
      }
      seen.add(block.id);
      pending.push(block.id);
    }
    const answered = leadingResults(turns[position + 1]);
    const dangling = pending.filter((id) => !answered.has(id));
    if (dangling.length > 0) {
      throw new InvalidRequestError(
        `messages.${uses.at(-1)?.message ?? turn.first}: \`tool_use\` ids were found without \`tool_result\` blocks ` +
          `immediately after: ${dangling.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` ` +
          'block in the next message.',
      );
    }
  }
}

function checkErrorContent({ content, is_error: isError }: ToolResultBlockParam, path: string): void {
  if (isError !== true || content === undefined || typeof content === 'string') return;
  if (content.some((block) => block.type !== 'text')) {
    throw new InvalidRequestError(
      `${path}.tool_result: all content must be type "text" if "is_error" is true`,
    );
  }
}

function checkResults(turns: readonly Turn[]): void {
  for (const [position, turn] of turns.entries()) {
    const asked = new Set<string>();
    for (const { block } of turns[position - 1]?.blocks ?? []) {
      if (block.type === 'tool_use') asked.add(block.id);
    }
    const seen = new Set<string>();
    for (const { message, index, block } of turn.blocks) {
      if (block.type !== 'tool_result') continue;
      const path = `messages.${message}.content.${index}`;
      const id = block.tool_use_id;
      if (!asked.has(id)) {
        throw new InvalidRequestError(
          `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must ` +
            'have a corresponding `tool_use` block in the previous message.',
        );
      }
      if (seen.has(id)) {
        throw new InvalidRequestError(
          `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`,
        );
      }
      seen.add(id);
      checkErrorContent(block, path);
    }
  }
}

function checkSystem(system: string | readonly TextBlockParam[] | undefined): void {
  for (const [index, block] of (typeof system === 'string' ? [] : (system ?? [])).entries()) {
    if (block.text.trim() !== '') continue;
    throw new InvalidRequestError(
      block.cache_control == null
        ? 'system: text content blocks must be non-empty'
        : `system.${index}: cache_control cannot be set for empty text blocks`,
    );
  }
}

/**
 * Checks the content of each message, the blocks that each role may have, and that tool uses and results are paired.
 */
export function checkMessages(
  messages: readonly MessageParam[],
  system: string | readonly TextBlockParam[] | undefined,
): void {
  const [first] = messages;
  if (first === undefined) throw new InvalidRequestError('messages: at least one message is required');
  if (first.role !== 'user') {
    throw new InvalidRequestError(
      first.role === 'system'
        ? "messages.0: role 'system' cannot be the first message; use the top-level `system` parameter"
        : 'messages: first message must use the "user" role',
    );
  }
  checkSystem(system);
  checkContent(messages);
  const turns = turnsOf(messages);
  checkRoles(turns);
  checkResults(turns);
  checkUses(turns);
}
