import type { ContentBlock, StreamEvent } from '../api/api-types.ts';
import type { ModelReply } from '../providers/provider.ts';
import { moveInput, type Spaces } from './coordinates.ts';
import type { Fitted } from './fit-images.ts';

/** Moves the coordinates of a reply to the client's space. */
export function scaledReply(reply: ModelReply, { spacesOf }: Pick<Fitted, 'spacesOf'>): ModelReply {
  return {
    ...reply,
    content: reply.content.map((block): ContentBlock => {
      const spaces = block.type === 'tool_use' ? spacesOf(block) : undefined;
      if (spaces === undefined || block.type !== 'tool_use') return block;
      return { ...block, input: moveInput(block.input, spaces.model, spaces.client) };
    }),
  };
}

/**
 * Moves the coordinates of a streamed reply to the client's space. An input with coordinates is held until it is
 * complete and then sent in one piece; everything else passes as it comes.
 */
export async function* scaledStream(
  events: AsyncIterable<StreamEvent>,
  { spacesOf }: Pick<Fitted, 'spacesOf'>,
): AsyncGenerator<StreamEvent> {
  const held = new Map<number, { json: string; readonly spaces: Spaces }>();
  for await (const event of events) {
    if (event.type === 'content_block_start' && event.content_block.type === 'tool_use') {
      const spaces = spacesOf(event.content_block);
      if (spaces !== undefined) held.set(event.index, { json: '', spaces });
    }
    const use = 'index' in event ? held.get(event.index) : undefined;
    if (use === undefined) {
      yield event;
    } else if (event.type === 'content_block_delta' && event.delta.type === 'input_json_delta') {
      use.json += event.delta.partial_json;
    } else {
      if (event.type === 'content_block_stop') {
        held.delete(event.index);
        const delta = { type: 'input_json_delta' as const, partial_json: movedJson(use.json, use.spaces) };
        yield { type: 'content_block_delta', index: event.index, delta };
      }
      yield event;
    }
  }
}

/** A text that is not JSON stays as it is, so that the client sees what the model said. */
function movedJson(json: string, { client, model }: Spaces): string {
  if (json === '') return json;
  try {
    return JSON.stringify(moveInput(JSON.parse(json), model, client));
  } catch {
    return json;
  }
}
