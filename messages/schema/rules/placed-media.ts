import type {
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  MessageParam,
  ToolResultBlockParam,
} from '../../api/api-types.ts';

type Inner = Exclude<ToolResultBlockParam['content'], string | undefined>[number];

/** A picture or a document of a request, with the path of its block. */
export interface PlacedMedia {
  readonly path: string;
  readonly block: ImageBlockParam | DocumentBlockParam;
}

function inBlock(block: ContentBlockParam | Inner, path: string): PlacedMedia[] {
  switch (block.type) {
    case 'image':
      return [{ path: `${path}.image`, block }];
    case 'document': {
      const inner = block.source.type === 'content' ? block.source.content : [];
      return [
        { path: `${path}.document`, block },
        ...(typeof inner === 'string' ? [] : inner).flatMap((part, index) =>
          inBlock(part, `${path}.document.source.content.content.${index}`),
        ),
      ];
    }
    case 'tool_result':
      return (typeof block.content === 'object' ? block.content : []).flatMap((part, index) =>
        inBlock(part, `${path}.tool_result.content.${index}`),
      );
    default:
      return [];
  }
}

/** Lists the pictures and documents of a request in their order. */
export function mediaOf(messages: readonly MessageParam[]): PlacedMedia[] {
  return messages.flatMap(({ content }, index) =>
    typeof content === 'object'
      ? content.flatMap((block, place) => inBlock(block, `messages.${index}.content.${place}`))
      : [],
  );
}
