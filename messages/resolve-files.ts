import { ApiError, InvalidRequestError } from '@steadyhand/contracts';
import type {
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  MessageParam,
  ToolResultBlockParam,
} from './api/api-types.ts';
import { checkImages } from './schema/rules/image-rules.ts';

/** The limit of the API for all files of a request together, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;

/** Gives access to uploaded files. */
export interface FileContents {
  /** Rejects with an ApiError `not_found_error` for a file that is unknown or expired. */
  describe(id: string): Promise<{ readonly mime_type: string; readonly size_bytes: number }>;
  read(id: string): Promise<Uint8Array>;
}

interface Placed {
  readonly id: string;
  readonly path: string;
  readonly kind: 'image' | 'document';
}

type Source = ImageBlockParam['source'] | DocumentBlockParam['source'];
type Block = ContentBlockParam | Exclude<ToolResultBlockParam['content'], string | undefined>[number];

/**
 * Replaces every source `{type: "file", file_id}` of a request by the file's content: base64 for pictures and PDFs,
 * text for text. Call it before a provider is asked. A request without such a source is returned as it is.
 *
 * @example const whole = await resolveFiles(request, files);
 * @throws {ApiError} `not_found_error` for an unknown file, `request_too_large` for more than 32 MB of them
 * @throws {InvalidRequestError} when a file's type does not fit its block, or breaks the API's rules for pictures and
 * PDFs
 */
export async function resolveFiles<
  T extends { readonly model: string; readonly messages: readonly MessageParam[] },
>(request: T, files: FileContents): Promise<T> {
  const placed = request.messages.flatMap(({ content }, index) =>
    typeof content !== 'object'
      ? []
      : content.flatMap((block, at) => filesIn(block, `messages.${index}.content.${at}`)),
  );
  if (placed.length === 0) return request;
  const sources = await load(placed, files);
  const messages = request.messages.map((message) =>
    typeof message.content === 'object'
      ? ({ ...message, content: message.content.map((block) => replaced(block, sources)) } as MessageParam)
      : message,
  );
  checkImages(messages, request.model);
  return { ...request, messages };
}

function filesIn(block: Block, path: string): Placed[] {
  switch (block.type) {
    case 'image':
    case 'document': {
      const { source, type: kind } = block;
      const here = `${path}.${kind}.source`;
      if (source.type === 'file') return [{ id: source.file_id, path: `${here}.file`, kind }];
      if (source.type !== 'content' || typeof source.content === 'string') return [];
      return source.content.flatMap((part, at) => filesIn(part, `${here}.content.content.${at}`));
    }
    case 'tool_result':
      return typeof block.content === 'object'
        ? block.content.flatMap((part, at) => filesIn(part, `${path}.tool_result.content.${at}`))
        : [];
    default:
      return [];
  }
}

const keyOf = (kind: string, id: string): string => `${kind} ${id}`;

/** Looks up and reads each file once. Nothing is read until all files are known to be allowed. */
async function load(placed: readonly Placed[], files: FileContents): Promise<ReadonlyMap<string, Source>> {
  const wanted = new Map(placed.map((each) => [keyOf(each.kind, each.id), each]));
  const described = new Map<string, string>();
  const sizes = new Map<string, number>();
  for (const [key, each] of wanted) {
    const { mime_type, size_bytes } = await files.describe(each.id);
    described.set(key, checkedType(each, mime_type));
    sizes.set(key, size_bytes);
  }
  const total = placed.reduce((sum, { kind, id }) => sum + (sizes.get(keyOf(kind, id)) ?? 0), 0);
  if (total > MAX_BYTES) {
    throw new ApiError(
      'request_too_large',
      `The files of the request exceed the maximum size of ${MAX_BYTES} bytes: ${total} bytes`,
    );
  }
  const sources = new Map<string, Source>();
  for (const [key, each] of wanted) {
    sources.set(key, sourceOf(each, described.get(key) ?? '', await files.read(each.id)));
  }
  return sources;
}

function checkedType({ kind, id, path }: Placed, mimeType: string): string {
  const fits =
    kind === 'image'
      ? (IMAGE_TYPES as readonly string[]).includes(mimeType)
      : mimeType === 'application/pdf' || mimeType.startsWith('text/');
  if (fits) return mimeType;
  const taken = kind === 'image' ? IMAGE_TYPES.join(', ') : 'application/pdf or text';
  throw new InvalidRequestError(
    `${path}.file_id: ${id} is ${mimeType}; a block of type ${kind} takes ${taken}`,
  );
}

function sourceOf({ kind, id, path }: Placed, mimeType: string, bytes: Uint8Array): Source {
  if (kind === 'image') {
    const media_type = mimeType as (typeof IMAGE_TYPES)[number];
    return { type: 'base64', media_type, data: base64(bytes) };
  }
  if (mimeType === 'application/pdf') return { type: 'base64', media_type: mimeType, data: base64(bytes) };
  try {
    const data = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { type: 'text', media_type: 'text/plain', data };
  } catch {
    throw new InvalidRequestError(`${path}.file_id: ${id} is ${mimeType}, but its bytes are not UTF-8`);
  }
}

function base64({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

/** Puts the loaded sources into a block in place of those that name files. */
function replaced<T extends Block>(block: T, sources: ReadonlyMap<string, Source>): T {
  switch (block.type) {
    case 'image':
    case 'document': {
      const { source } = block;
      if (source.type === 'file') return { ...block, source: sources.get(keyOf(block.type, source.file_id)) };
      if (source.type !== 'content' || typeof source.content === 'string') return block;
      return {
        ...block,
        source: { ...source, content: source.content.map((part) => replaced(part, sources)) },
      };
    }
    case 'tool_result':
      return typeof block.content === 'object'
        ? { ...block, content: block.content.map((part) => replaced(part, sources)) }
        : block;
    default:
      return block;
  }
}
