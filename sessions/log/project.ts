import { INTERRUPTED_RESULT } from '@steadyhand/contracts';
import {
  type ContentBlockParam,
  type MessageParam,
  perMessage,
  type TextBlockParam,
  type ToolResultBlockParam,
} from '@steadyhand/messages';
import { deniedText, INTERRUPT_TEXT } from '../events/builders.ts';
import type {
  Base64Source,
  BlobSource,
  LogEvent,
  ReplyMark,
  ResultBlock,
  TextBlock,
  ThinkingBlock,
} from '../events/types.ts';
import { isBlobBlock, replaceBlobs } from './blob-sources.ts';

/** A message whose pictures and documents are still in the blob store. */
export type ProjectedMessage =
  | { readonly role: 'user'; readonly content: readonly UserBlock[] }
  | { readonly role: 'assistant'; readonly content: readonly AssistantBlock[] }
  | { readonly role: 'system'; readonly content: readonly TextBlock[] };

type UserBlock = ResultBlock<BlobSource> | ResultForModel;
type AssistantBlock = TextBlockParam | ThinkingBlock | Extract<ContentBlockParam, { type: 'tool_use' }>;
type ResultForModel = Pick<ToolResultBlockParam, 'type' | 'tool_use_id' | 'toolset_name'> & {
  readonly is_error: boolean;
  readonly content: string | readonly ResultBlock<BlobSource>[];
};

type ToolUse = LogEvent<'agent.tool_use' | 'agent.custom_tool_use'>;
type Reply = LogEvent<'agent.message' | 'agent.thinking' | 'agent.tool_use' | 'agent.custom_tool_use'>;
type Waiting = LogEvent<'user.message' | 'user.interrupt' | 'system.message' | 'sandbox.takeover_ended'>;
interface Result {
  readonly seq: number;
  readonly content: readonly ResultBlock<BlobSource>[];
  readonly isError: boolean;
}

/**
 * The conversation that a log holds, as the Messages API takes it: roles alternate, every tool use is answered in the
 * message after it, in the order of the uses.
 *
 * A reply stands after what the model had been shown and before what it had not: a message that the user sent while the
 * model was thinking follows the reply and the results of its tools. So the list for a later cursor begins with the
 * list that the model was given before, and the provider's prompt cache stays of use.
 */
export function projectLog(events: readonly LogEvent[], cursor = Infinity): readonly ProjectedMessage[] {
  const projection = new Projection();
  for (const event of events) if (event.seq <= cursor) projection.take(event);
  return projection.conversation();
}

/** The messages that end a user's turn, and the state after them. */
interface ClosedTurn {
  readonly messages: readonly ProjectedMessage[];
  readonly waiting: readonly Waiting[];
  readonly turnOpen: boolean;
  readonly interrupted: boolean;
}

/**
 * The projection of the events that it has been given. It can be asked for the conversation at any time and takes
 * further events afterwards, so that a log that has grown is not projected anew.
 */
export class Projection {
  readonly #messages: ProjectedMessage[] = [];
  readonly #results = new Map<string, Result>();
  readonly #denials = new Map<string, string>();
  readonly #modelIds = new Map<string, string>();
  readonly #takenIds = new Set<string>();
  /** User events that have no place in the messages yet. */
  #waiting: readonly Waiting[] = [];
  /** The reply whose events are being gathered. */
  #reply:
    | { readonly mark: ReplyMark; readonly blocks: AssistantBlock[]; readonly uses: ToolUse[] }
    | undefined;
  /** Whether the model owes an answer: an interrupt then has something to interrupt. */
  #turnOpen = false;
  #interrupted = false;

  take(event: LogEvent): void {
    switch (event.type) {
      case 'user.message':
      case 'user.interrupt':
      case 'system.message':
      case 'sandbox.takeover_ended':
        this.#waiting = [...this.#waiting, event];
        break;
      case 'user.tool_confirmation':
        if (event.body.result === 'deny')
          this.#denials.set(event.body.tool_use_id, deniedText(event.body.deny_message));
        break;
      case 'agent.tool_result':
        this.#addResult(event.body.tool_use_id, event.seq, event.body.content, event.body.is_error);
        break;
      case 'user.custom_tool_result':
        this.#addResult(
          event.body.custom_tool_use_id,
          event.seq,
          event.body.content ?? [],
          event.body.is_error ?? false,
        );
        break;
      case 'agent.message':
      case 'agent.thinking':
      case 'agent.tool_use':
      case 'agent.custom_tool_use':
        this.#addToReply(event);
        break;
      default:
        break;
    }
  }

  /** The messages that the model was shown at a cursor; no later event may have been taken yet. */
  shownAt(cursor: number): readonly ProjectedMessage[] {
    this.#closeUserTurn(cursor);
    return [...this.#messages];
  }

  /** The blocks of the reply whose events were taken last. */
  get replyBlocks(): readonly AssistantBlock[] {
    return this.#reply?.blocks ?? [];
  }

  /** The messages of a model request made now. Messages that cannot change any more are the same objects every time. */
  conversation(): readonly ProjectedMessage[] {
    const conversation = [...this.#messages];
    for (const message of this.#closedTurn(Infinity).messages) appendMessage(conversation, message);
    return conversation;
  }

  /** The first result of a tool use stands. */
  #addResult(id: string, seq: number, content: readonly ResultBlock<BlobSource>[], isError: boolean): void {
    if (!this.#results.has(id)) this.#results.set(id, { seq, content, isError });
  }

  #addToReply(event: Reply): void {
    const mark = event.internal.reply ?? { id: event.id, cursor: event.seq - 1 };
    if (this.#reply?.mark.id !== mark.id || this.#reply.mark.cursor !== mark.cursor) {
      this.#closeUserTurn(mark.cursor);
      this.#reply = { mark, blocks: [], uses: [] };
    }
    switch (event.type) {
      case 'agent.message':
        this.#reply.blocks.push(...event.body.content.filter(isNotBlank));
        break;
      case 'agent.thinking':
        if (event.internal.thinking !== undefined) this.#reply.blocks.push(event.internal.thinking);
        break;
      default:
        this.#reply.uses.push(event);
        this.#reply.blocks.push({
          type: 'tool_use',
          id: this.#modelId(event),
          name: event.body.name,
          input: event.body.input,
          ...toolsetOf(event),
        });
    }
  }

  /** The id that the model knows a tool use by: its own, unless it has used it before. */
  #modelId(use: ToolUse): string {
    const known = this.#modelIds.get(use.id);
    if (known !== undefined) return known;
    const own = use.internal.model_id;
    const id = own === undefined || this.#takenIds.has(own) ? use.id : own;
    this.#modelIds.set(use.id, id);
    this.#takenIds.add(id);
    return id;
  }

  /** Writes the gathered reply, and after it what the user's side holds up to a seq. */
  #closeUserTurn(upTo: number): void {
    const { messages, waiting, turnOpen, interrupted } = this.#closedTurn(upTo);
    for (const message of messages) appendMessage(this.#messages, message);
    for (const { id } of this.#reply?.uses ?? []) this.#forget(id);
    this.#reply = undefined;
    this.#waiting = waiting;
    this.#turnOpen = turnOpen;
    this.#interrupted = interrupted;
  }

  /** The tool uses of a written reply need no results any more; the ids that the model knows stay taken. */
  #forget(use: string): void {
    this.#results.delete(use);
    this.#denials.delete(use);
    this.#modelIds.delete(use);
  }

  #closedTurn(upTo: number): ClosedTurn {
    const messages: ProjectedMessage[] = [];
    const reply = this.#reply;
    let turnOpen = this.#turnOpen;
    let interrupted = this.#interrupted;
    if (reply !== undefined) {
      turnOpen = reply.uses.length > 0;
      if (reply.blocks.length > 0) messages.push({ role: 'assistant', content: [...reply.blocks] });
    }
    // The next message must answer the tool uses of the reply.
    const content: UserBlock[] = (reply?.uses ?? []).map((use) => this.#resultOf(use, upTo));
    const system: TextBlock[] = [];
    for (const event of this.#waiting.filter(({ seq }) => seq <= upTo)) {
      if (event.type === 'user.interrupt') {
        interrupted ||= turnOpen;
        continue;
      }
      if (event.type === 'sandbox.takeover_ended') {
        content.push(...event.body.content);
        continue;
      }
      if (event.type === 'system.message') {
        system.push(...event.body.content);
        continue;
      }
      if (interrupted) content.push({ type: 'text', text: INTERRUPT_TEXT });
      interrupted = false;
      turnOpen = true;
      content.push(...event.body.content.filter(isNotBlank));
    }
    if (content.length > 0) messages.push({ role: 'user', content });
    const later = this.#waiting.filter(({ seq }) => seq > upTo);
    // A conversation cannot begin with a system message: one that came first waits for the user's first message.
    const isFirst = this.#messages.length === 0 && messages.length === 0;
    const waiting = isFirst
      ? [...this.#waiting.filter(isSystem), ...later.filter((each) => !isSystem(each))]
      : later;
    if (!isFirst && system.length > 0) messages.push({ role: 'system', content: system });
    return { messages, waiting, turnOpen, interrupted };
  }

  /** A result that came too late for the model's next reply is not shown later either. */
  #resultOf(use: ToolUse, upTo: number): ResultForModel {
    const result = this.#results.get(use.id);
    const answer = { type: 'tool_result', tool_use_id: this.#modelId(use), ...toolsetOf(use) } as const;
    if (result === undefined || result.seq > upTo) {
      const content = this.#denials.get(use.id) ?? INTERRUPTED_RESULT;
      return { ...answer, is_error: true, content };
    }
    const content = result.content.filter(isNotBlank);
    if (!result.isError) return { ...answer, is_error: false, content };
    return { ...answer, is_error: true, content: errorText(content) };
  }
}

/** Appends a message; two in a row of the same role become one. */
function appendMessage(messages: ProjectedMessage[], message: ProjectedMessage): void {
  const last = messages.at(-1);
  if (last?.role === message.role) {
    const content = [...last.content, ...message.content];
    messages[messages.length - 1] = { ...last, content } as ProjectedMessage;
  } else {
    messages.push(message);
  }
}

function isSystem({ type }: Waiting): boolean {
  return type === 'system.message';
}

/** The toolset's name, which the use of a toolset's member and its result both carry. */
function toolsetOf(use: ToolUse): { toolset_name?: string } {
  return 'toolset_name' in use.body && use.body.toolset_name !== undefined
    ? { toolset_name: use.body.toolset_name }
    : {};
}

/** The API refuses text blocks of nothing but white space. */
function isNotBlank(block: object): boolean {
  return !('type' in block && block.type === 'text' && 'text' in block && String(block.text).trim() === '');
}

/** The content of an error is text alone: the API refuses anything else beside `is_error`. */
function errorText(content: readonly ResultBlock<BlobSource>[]): string {
  const texts = content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.length === 0 ? 'The tool failed.' : texts.join('\n');
}

/**
 * Replaces the blobs by their bytes, as a model request carries them. Messages without blobs stay the same objects, so
 * that what was computed for one is still valid in the next request.
 */
export async function loadMessages(
  messages: readonly ProjectedMessage[],
  load: (source: BlobSource) => Promise<Base64Source>,
): Promise<MessageParam[]> {
  const list = [...messages] as MessageParam[];
  const loading: Promise<void>[] = [];
  for (const [index, holds] of whichHoldBlobs(messages).entries()) {
    const message = messages[index];
    if (!holds || message === undefined) continue;
    const put = (whole: MessageParam): void => void (list[index] = whole);
    loading.push(loaded(message, load).then(put));
  }
  await Promise.all(loading);
  return list;
}

const whichHoldBlobs = perMessage(holdsBlobs);

async function loaded(
  { role, content }: ProjectedMessage,
  load: (source: BlobSource) => Promise<Base64Source>,
): Promise<MessageParam> {
  const blocks = await Promise.all(
    content.map(async (block) =>
      block.type === 'tool_result' && typeof block.content !== 'string'
        ? { ...block, content: await replaceBlobs(block.content, load) }
        : block,
    ),
  );
  return { role, content: await replaceBlobs(blocks, load) } as MessageParam;
}

function holdsBlobs({ content }: ProjectedMessage): boolean {
  return content.some(
    (block) =>
      isBlobBlock(block) ||
      (block.type === 'tool_result' && typeof block.content !== 'string' && block.content.some(isBlobBlock)),
  );
}
