import type { ChatCompletionContentPart } from 'openai/resources/chat/completions/completions.js';
import { InvalidRequestError } from '@steadyhand/contracts';
import type { ContentBlockParam, ToolResultBlockParam } from '../../api/api-types.ts';
import type { RequestStyle } from './options.ts';

export type Part = ChatCompletionContentPart;
type ResultBlock = Extract<NonNullable<ToolResultBlockParam['content']>, unknown[]>[number];
type Readable = ContentBlockParam | ResultBlock;

const text = (words: string): Part => ({ type: 'text', text: words });

function refuse(path: string, what: string): never {
  throw new InvalidRequestError(`${path}: ${what} cannot be sent to this model`);
}

function imagePart({ source }: Extract<Readable, { type: 'image' }>, path: string): Part {
  switch (source.type) {
    case 'base64':
      return { type: 'image_url', image_url: { url: `data:${source.media_type};base64,${source.data}` } };
    case 'url':
      return { type: 'image_url', image_url: { url: source.url } };
    default:
      return refuse(`${path}.source`, `an image by \`${source.type}\``);
  }
}

/** Puts the title and the context before a document's text, as for the API's own models. */
function headed(block: Extract<Readable, { type: 'document' }>, parts: readonly Part[]): Part[] {
  const head = [block.title, block.context].filter((line) => line != null && line.trim() !== '').join('\n');
  return head === '' ? [...parts] : [text(head), ...parts];
}

function documentParts(
  block: Extract<Readable, { type: 'document' }>,
  path: string,
  style: RequestStyle,
): Part[] {
  const { source } = block;
  const place = `${path}.source`;
  switch (source.type) {
    case 'text':
      return headed(block, [text(source.data)]);
    case 'content':
      return headed(
        block,
        typeof source.content === 'string'
          ? [text(source.content)]
          : source.content.flatMap((part, index) => partsOf(part, `${place}.content.${index}`, style)),
      );
    case 'base64':
      if (style.pdf === 'refuse') return refuse(place, 'a PDF document');
      return headed(block, [
        {
          type: 'file',
          file: {
            filename: block.title ?? 'document.pdf',
            file_data: `data:${source.media_type};base64,${source.data}`,
          },
        },
      ]);
    default:
      return refuse(place, `a document by \`${source.type}\``);
  }
}

/**
 * Translates a block of a user's message or of a tool's result into parts of chat completions.
 *
 * @throws {InvalidRequestError} naming the block, where there is no such part
 */
export function partsOf(block: Readable, path: string, style: RequestStyle): Part[] {
  switch (block.type) {
    case 'text':
      return [text(block.text)];
    case 'image':
      return [imagePart(block, path)];
    case 'document':
      return documentParts(block, path, style);
    case 'search_result':
      return [
        text([`${block.title} (${block.source})`, ...block.content.map((part) => part.text)].join('\n')),
      ];
    case 'tool_reference':
      return [text(`Tool: ${block.tool_name}`)];
    default:
      return refuse(path, `a block of type \`${block.type}\``);
  }
}

export const isText = (part: Part): part is Extract<Part, { type: 'text' }> => part.type === 'text';

/** Makes a string of parts that are all text, since not every server reads lists of parts. */
export function contentOf(parts: readonly Part[]): string | Part[] {
  return parts.every(isText) ? parts.map((part) => part.text).join('\n\n') : [...parts];
}
