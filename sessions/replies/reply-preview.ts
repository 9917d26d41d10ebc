import type { ContentBlock, StreamEvent } from '@steadyhand/messages';
import type { AgentTool } from '../agents/agent.ts';
import { isBlank } from './reply-events.ts';
import { permissionFor } from '../agents/permissions.ts';
import type { LivePart, PreviewStart } from './live-part.ts';

/**
 * Makes the previews of a reply's events from its stream. It follows the rules of `replyEvents`, so that a preview has
 * the id of the event that is appended later: adjacent text blocks are one event, and blank ones are left out.
 */
export class ReplyPreview {
  readonly #tools: readonly AgentTool[];
  readonly #eventId: (index: number) => string;
  readonly #add: (part: LivePart) => void;
  #events = 0;
  /** The `agent.message` that text is added to, and the place of its newest block. */
  #message: { readonly id: string; block: number } | undefined;
  /** The open block. `held` is white space that is sent once text follows it. */
  #open:
    | { readonly type: 'text'; held: string; hasText: boolean }
    | { readonly type: 'thinking'; readonly id: string }
    | { readonly type: 'use'; readonly id: string; readonly of: UseType; input: unknown }
    | undefined;

  /**
   * @param tools the tools of the session's agent, which decide which event a tool use becomes
   * @param eventId gives the id of the reply's event of this index
   */
  constructor(
    tools: readonly AgentTool[],
    eventId: (index: number) => string,
    add: (part: LivePart) => void,
  ) {
    this.#tools = tools;
    this.#eventId = eventId;
    this.#add = add;
  }

  take(event: StreamEvent): void {
    if (event.type === 'content_block_start') this.#begin(event.content_block);
    else if (event.type === 'content_block_delta') this.#extend(event.delta);
    else if (event.type === 'content_block_stop') this.#close();
  }

  #begin(block: ContentBlock): void {
    switch (block.type) {
      case 'text':
        this.#open = { type: 'text', held: '', hasText: false };
        this.#addText(block.text);
        return;
      case 'thinking':
      case 'redacted_thinking': {
        const id = this.#nextId();
        this.#open = { type: 'thinking', id };
        this.#start(['agent.thinking', 'agent.thinking.text'], { id, type: 'agent.thinking' });
        return;
      }
      case 'tool_use': {
        const { name, toolset_name } = block;
        const use = { name, ...(toolset_name == null ? {} : { toolset_name }) };
        const { by } = permissionFor(this.#tools, use);
        const of = by === 'client' ? 'agent.custom_tool_use' : 'agent.tool_use';
        const id = this.#nextId();
        this.#open = { type: 'use', id, of, input: block.input };
        this.#start([of], { id, type: of, name });
        return;
      }
      default:
        this.#open = undefined;
    }
  }

  #extend(delta: Extract<StreamEvent, { type: 'content_block_delta' }>['delta']): void {
    const open = this.#open;
    if (delta.type === 'text_delta') this.#addText(delta.text);
    else if (delta.type === 'thinking_delta' && open?.type === 'thinking') {
      const { thinking } = delta;
      this.#add({
        of: ['agent.thinking.text'],
        event: { type: 'event_delta', event_id: open.id, delta: { type: 'thinking_delta', thinking } },
      });
    } else if (delta.type === 'input_json_delta' && open?.type === 'use') {
      open.input = {};
      this.#input(open, delta.partial_json);
    }
  }

  /** The start of a tool use may have carried the whole input already. */
  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open?.type !== 'use' || typeof open.input !== 'object' || open.input === null) return;
    if (Object.keys(open.input).length > 0) this.#input(open, JSON.stringify(open.input));
  }

  #input({ id, of }: { readonly id: string; readonly of: UseType }, partial_json: string): void {
    if (partial_json === '') return;
    const delta = { type: 'input_json_delta', partial_json } as const;
    this.#add({ of: [of], event: { type: 'event_delta', event_id: id, delta } });
  }

  #addText(added: string): void {
    const open = this.#open;
    if (open?.type !== 'text') return;
    open.held += added;
    if (!open.hasText && isBlank(open.held)) return;
    if (!open.hasText) this.#beginText();
    open.hasText = true;
    const text = open.held;
    open.held = '';
    if (text === '' || this.#message === undefined) return;
    const { id, block: index } = this.#message;
    const delta = { type: 'content_delta', index, content: { type: 'text', text } } as const;
    this.#add({ of: ['agent.message'], event: { type: 'event_delta', event_id: id, delta } });
  }

  #beginText(): void {
    if (this.#message !== undefined) {
      this.#message.block += 1;
      return;
    }
    const id = this.#nextId();
    this.#message = { id, block: 0 };
    this.#start(['agent.message'], { id, type: 'agent.message' });
  }

  #start(of: LivePart['of'], event: PreviewStart['event']): void {
    this.#add({ of, event: { type: 'event_start', event } });
  }

  #nextId(): string {
    this.#message = undefined;
    const id = this.#eventId(this.#events);
    this.#events += 1;
    return id;
  }
}

type UseType = 'agent.tool_use' | 'agent.custom_tool_use';
