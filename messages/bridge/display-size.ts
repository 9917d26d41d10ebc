import type { ImageBlockParam, MessageParam } from '../api/api-types.ts';
import { readImageInfo } from '../tokens/image-info.ts';
import { COMPUTER_TOOLSET_NAME } from '../tools/tool-names.ts';

export interface DisplaySize {
  readonly width: number;
  readonly height: number;
}

/** The size of a display that no screenshot has shown yet; the documentation recommends it. */
const UNSEEN_DISPLAY: DisplaySize = { width: 1024, height: 768 };

function sizeOf({ source }: ImageBlockParam): DisplaySize | undefined {
  if (source.type !== 'base64') return undefined;
  const info = readImageInfo(source.data);
  return info === null ? undefined : { width: info.width, height: info.height };
}

/**
 * Finds the size of a client's display. The toolset's definition does not hold it, so it is the size of the newest
 * whole screenshot in the conversation, whose pixels are the unit of coordinates.
 */
export function displaySize(messages: readonly MessageParam[]): DisplaySize {
  const zooms = new Set<string>();
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue;
    for (const block of content) if (block.type === 'tool_use' && block.name === 'zoom') zooms.add(block.id);
  }
  for (const { content } of [...messages].reverse()) {
    if (!Array.isArray(content)) continue;
    for (const block of [...content].reverse()) {
      if (block.type !== 'tool_result' || block.toolset_name !== COMPUTER_TOOLSET_NAME) continue;
      if (zooms.has(block.tool_use_id) || !Array.isArray(block.content)) continue;
      const image = block.content.findLast((each) => each.type === 'image');
      const size = image === undefined ? undefined : sizeOf(image);
      if (size !== undefined) return size;
    }
  }
  return UNSEEN_DISPLAY;
}
