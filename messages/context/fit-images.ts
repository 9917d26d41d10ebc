import { InvalidRequestError } from '@steadyhand/contracts';
import type {
  Base64ImageSource,
  ContentBlockParam,
  ImageBlockParam,
  MessageParam,
  ToolParam,
  ToolResultBlockParam,
} from '../api/api-types.ts';
import type { ModelRequest } from '../api/request.ts';
import { readImageInfo } from '../tokens/image-info.ts';
import { isToolset, type NamedUse, toolFor } from '../tools/tool-names.ts';
import { areSame, moveCursorText, moveInput, type Spaces } from './coordinates.ts';
import { fittedSize, type ImageLimits, limitsForMany, type Size } from '../models/image-limits.ts';
import { PictureNotScaledError, type PictureScaler } from './picture-scaler.ts';

interface FitOptions {
  readonly limits: ImageLimits;
  readonly scaler: PictureScaler;
  readonly signal: AbortSignal;
}

/** A request whose pictures the model takes as they are, and the spaces for translating its reply back. */
export interface Fitted {
  readonly request: ModelRequest;
  /** The two spaces of a tool use in the reply; undefined where its input stays as it is. */
  spacesOf(use: NamedUse): Spaces | undefined;
}

/**
 * Scales the pictures of a request down to what the model takes, and everything of a computer tool with them: the
 * display that the model is told of, the coordinates of earlier tool uses, the pointer's place in their results.
 *
 * The screen of a tool that tells its display is that display. A toolset tells none: its screen is the newest
 * screenshot before the tool use. Pictures by URL or file id are the upstream's to scale.
 */
export async function fitImages(request: ModelRequest, options: FitOptions): Promise<Fitted> {
  if (request.tools.some(({ type }) => type?.startsWith('browser_toolset_') === true)) {
    throw new InvalidRequestError(
      'context_care.fit_images: not with a browser toolset, whose coordinates are not mapped',
    );
  }
  const limits = limitsForMany(options.limits, picturesIn(request.messages));
  const conversation = new Conversation(request.tools, limits);
  const messages = await Promise.all(
    request.messages.map((message) => fitMessage(conversation.moved(message), { ...options, limits })),
  );
  return {
    request: { ...request, tools: request.tools.map((tool) => conversation.told(tool)), messages },
    spacesOf: (use) => conversation.spacesOf(use),
  };
}

/** Follows the conversation to know the tool of each use and the size of the screen at the time. */
class Conversation {
  readonly #tools: readonly ToolParam[];
  readonly #limits: ImageLimits;
  readonly #uses = new Map<string, { readonly tool: ToolParam; readonly action: string }>();
  #screen: Size | undefined;

  constructor(tools: readonly ToolParam[], limits: ImageLimits) {
    this.#tools = tools;
    this.#limits = limits;
  }

  /** The tool's definition with the display in the model's space. */
  told(tool: ToolParam): ToolParam {
    const display = displayOf(tool);
    if (display === undefined) return tool;
    const { width, height } = fittedSize(display, this.#limits);
    return { ...tool, display_width_px: width, display_height_px: height } as ToolParam;
  }

  /** Undefined for other tools, and where both spaces are the same. */
  spacesOf(use: NamedUse): Spaces | undefined {
    const tool = toolFor(this.#tools, use);
    return tool === undefined ? undefined : this.#spaces(tool);
  }

  /** Moves a message's coordinates to the model's space. Messages must come in the conversation's order. */
  moved(message: MessageParam): MessageParam {
    if (message.content === undefined || typeof message.content === 'string') return message;
    const content = message.content.map((block) => this.#movedBlock(block));
    return { ...message, content } as MessageParam;
  }

  #spaces(tool: ToolParam): Spaces | undefined {
    const client = displayOf(tool) ?? (isToolset(tool) ? this.#screen : undefined);
    if (client === undefined) return undefined;
    const spaces = { client, model: fittedSize(client, this.#limits) };
    return areSame(spaces) ? undefined : spaces;
  }

  #movedBlock(block: ContentBlockParam): ContentBlockParam {
    if (block.type === 'tool_use') {
      const tool = toolFor(this.#tools, block);
      if (tool === undefined) return block;
      this.#uses.set(block.id, { tool, action: actionOf(tool, block) });
      const spaces = this.#spaces(tool);
      return spaces === undefined
        ? block
        : { ...block, input: moveInput(block.input, spaces.client, spaces.model) };
    }
    return block.type === 'tool_result' ? this.#movedResult(block) : block;
  }

  #movedResult(result: ToolResultBlockParam): ToolResultBlockParam {
    const use = this.#uses.get(result.tool_use_id);
    if (use === undefined) return result;
    const spaces = this.#spaces(use.tool);
    // A zoom shows a part of the screen at a size of its own.
    if (isToolset(use.tool) && use.action !== 'zoom') this.#screen = screenIn(result) ?? this.#screen;
    if (spaces === undefined || use.action !== 'cursor_position') return result;
    const move = (text: string): string => moveCursorText(text, spaces.client, spaces.model);
    const { content } = result;
    if (content === undefined) return result;
    if (typeof content === 'string') return { ...result, content: move(content) };
    return {
      ...result,
      content: content.map((part) => (part.type === 'text' ? { ...part, text: move(part.text) } : part)),
    };
  }
}

function displayOf(tool: ToolParam): Size | undefined {
  if (!('display_width_px' in tool)) return undefined;
  return { width: tool.display_width_px, height: tool.display_height_px };
}

/** A member's name is its action; the other computer tools have it in their input. */
function actionOf(tool: ToolParam, use: { readonly name: string; readonly input: unknown }): string {
  if (isToolset(tool)) return use.name;
  const { action } = (use.input ?? {}) as { readonly action?: unknown };
  return displayOf(tool) !== undefined && typeof action === 'string' ? action : '';
}

function screenIn({ content }: ToolResultBlockParam): Size | undefined {
  if (!Array.isArray(content)) return undefined;
  const pictures = content.filter((part) => part.type === 'image');
  const source = pictures.at(-1)?.source;
  return source?.type === 'base64' ? (readImageInfo(source.data) ?? undefined) : undefined;
}

function picturesIn(messages: readonly MessageParam[]): number {
  let count = 0;
  for (const { content } of messages) {
    if (!Array.isArray(content)) continue;
    for (const block of content) {
      if (block.type === 'image') count++;
      else if (block.type === 'tool_result' && Array.isArray(block.content)) {
        count += block.content.filter(({ type }) => type === 'image').length;
      }
    }
  }
  return count;
}

async function fitMessage(message: MessageParam, options: FitOptions): Promise<MessageParam> {
  if (!Array.isArray(message.content)) return message;
  const content = await Promise.all(
    message.content.map(async (block) => {
      if (block.type === 'image') return fitPicture(block, options);
      if (block.type !== 'tool_result' || !Array.isArray(block.content)) return block;
      const parts = await Promise.all(
        block.content.map(async (part) => (part.type === 'image' ? fitPicture(part, options) : part)),
      );
      return { ...block, content: parts };
    }),
  );
  return { ...message, content } as MessageParam;
}

async function fitPicture(
  block: ImageBlockParam,
  { limits, scaler, signal }: FitOptions,
): Promise<ImageBlockParam> {
  const { source } = block;
  if (source.type !== 'base64') return block;
  const size = readImageInfo(source.data);
  if (size === null) return block;
  const fitted = fittedSize(size, limits);
  if (fitted.width === size.width && fitted.height === size.height) return block;
  return { ...block, source: await scaled(source, fitted, scaler, signal) };
}

async function scaled(
  source: Base64ImageSource,
  size: Size,
  scaler: PictureScaler,
  signal: AbortSignal,
): Promise<Base64ImageSource> {
  try {
    return await scaler.scale(source, size, signal);
  } catch (error) {
    if (!(error instanceof PictureNotScaledError)) throw error;
    throw new InvalidRequestError(`context_care.fit_images: a picture cannot be scaled: ${error.message}`);
  }
}
