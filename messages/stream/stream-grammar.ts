import { ProviderUnavailableError } from '../api/errors.ts';
import { isRecord } from '../api/is-record.ts';
import type { StreamEvent } from '../api/api-types.ts';

/** The blocks whose input comes as pieces of JSON. */
const INPUT_BLOCKS: readonly string[] = ['tool_use', 'server_tool_use', 'mcp_tool_use'];

/** The blocks that each delta may belong to, and its field. Unknown deltas pass unchecked. */
const DELTAS: Readonly<
  Record<string, { readonly blocks: readonly string[]; readonly field: string; readonly type: string }>
> = {
  text_delta: { blocks: ['text'], field: 'text', type: 'string' },
  citations_delta: { blocks: ['text'], field: 'citation', type: 'object' },
  input_json_delta: { blocks: INPUT_BLOCKS, field: 'partial_json', type: 'string' },
  thinking_delta: { blocks: ['thinking'], field: 'thinking', type: 'string' },
  signature_delta: { blocks: ['thinking'], field: 'signature', type: 'string' },
  compaction_delta: { blocks: ['compaction'], field: 'content', type: 'any' },
};

export function hasInput(type: string): boolean {
  return INPUT_BLOCKS.includes(type);
}

/**
 * Checks the order of a stream's events one by one: `message_start`, then each block with its start, deltas and stop,
 * then one or more `message_delta`, then `message_stop`. Events of unknown types may stand anywhere after the first.
 */
export class StreamGrammar {
  #place: 'start' | 'blocks' | 'delta' | 'stop' = 'start';
  #blocks = 0;
  /** The type of the block that is open. */
  #open: string | undefined;

  /** Whether `message_stop` has come. */
  get isComplete(): boolean {
    return this.#place === 'stop';
  }

  /** @throws {ProviderUnavailableError} when the event is malformed, or not the one that may come now. */
  take(event: unknown): StreamEvent {
    if (!isRecord(event) || typeof event['type'] !== 'string') throw bad('an event without a type');
    const { type } = event;
    if (this.#place === 'stop') throw bad(`${type} after message_stop`);
    if ((type === 'message_start') !== (this.#place === 'start')) {
      throw bad(type === 'message_start' ? 'a second message_start' : `${type} before message_start`);
    }
    switch (type) {
      case 'message_start':
        checkStart(event['message']);
        this.#place = 'blocks';
        break;
      case 'content_block_start':
        this.#openBlock(event);
        break;
      case 'content_block_delta':
        this.#checkDelta(event);
        break;
      case 'content_block_stop':
        this.#checkIndex(event);
        this.#open = undefined;
        break;
      case 'message_delta':
        if (this.#open !== undefined) throw bad('message_delta within a block');
        if (!isRecord(event['delta'])) throw bad('message_delta without a delta');
        this.#place = 'delta';
        break;
      case 'message_stop':
        if (this.#place !== 'delta') throw bad('message_stop before message_delta');
        this.#place = 'stop';
        break;
      default:
    }
    return event as unknown as StreamEvent;
  }

  /** @throws {ProviderUnavailableError} when the stream ends before its `message_stop`. */
  end(): void {
    if (!this.isComplete) throw new ProviderUnavailableError('the reply broke off before its end');
  }

  #openBlock({ index, content_block: block }: Record<string, unknown>): void {
    if (this.#place !== 'blocks') throw bad('content_block_start after message_delta');
    if (this.#open !== undefined) throw bad('content_block_start within a block');
    if (index !== this.#blocks) throw bad(`block ${String(index)} where ${this.#blocks} is next`);
    if (!isRecord(block) || typeof block['type'] !== 'string') throw bad('a block without a type');
    this.#blocks += 1;
    this.#open = block['type'];
  }

  #checkDelta(event: Record<string, unknown>): void {
    const open = this.#checkIndex(event);
    const { delta } = event;
    if (!isRecord(delta) || typeof delta['type'] !== 'string') throw bad('a delta without a type');
    const known = Object.hasOwn(DELTAS, delta['type']) ? DELTAS[delta['type']] : undefined;
    if (known === undefined) return;
    if (!known.blocks.includes(open)) throw bad(`${delta['type']} in a block of type ${open}`);
    if (known.type !== 'any' && typeof delta[known.field] !== known.type) {
      throw bad(`${delta['type']} without ${known.field}`);
    }
  }

  #checkIndex({ type, index }: Record<string, unknown>): string {
    if (this.#open === undefined) throw bad(`${String(type)} while no block is open`);
    if (index !== this.#blocks - 1) {
      throw bad(`${String(type)} of block ${String(index)} while ${this.#blocks - 1} is open`);
    }
    return this.#open;
  }
}

function checkStart(message: unknown): void {
  const isMessage =
    isRecord(message) &&
    message['type'] === 'message' &&
    typeof message['id'] === 'string' &&
    isRecord(message['usage']);
  if (!isMessage) throw bad('message_start without a message');
  if (!Array.isArray(message['content']) || message['content'].length > 0) {
    throw bad('message_start with content');
  }
}

function bad(what: string): ProviderUnavailableError {
  return new ProviderUnavailableError(`the streamed reply is out of order: ${what}`);
}
