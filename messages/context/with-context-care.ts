import { InvalidRequestError } from '@steadyhand/contracts';
import type { ModelProvider, ModelReply, ReplyOptions } from '../providers/provider.ts';
import type { ContextCare, ModelRequest } from '../api/request.ts';
import type { ContentBlock, StreamEvent } from '../api/api-types.ts';
import { countInputTokens } from '../tokens/request-tokens.ts';
import { withBreakpoints } from './cache-breakpoints.ts';
import { fitImages, type Fitted } from './fit-images.ts';
import { type ImageLimits, imageLimitsOf } from '../models/image-limits.ts';
import { keepScreenshots } from './keep-screenshots.ts';
import type { PictureScaler } from './picture-scaler.ts';
import { moveInput, type Spaces } from './coordinates.ts';

interface ContextCareOptions {
  /** The upstream's name for the model, which decides its limits. */
  readonly model: string;
  /** The values of fields that the request's own `context_care` leaves out. */
  readonly defaults?: ContextCare | undefined;
  readonly imageLimits?: ImageLimits | undefined;
  readonly scaler?: PictureScaler | undefined;
}

/** Applies `context_care` to requests before the provider gets them, and moves coordinates in its replies back. */
export function withContextCare(provider: ModelProvider, options: ContextCareOptions): ModelProvider {
  const { model, defaults, imageLimits = imageLimitsOf(model), scaler } = options;

  /** Null where nothing is asked for. */
  const careOf = (request: ModelRequest): ContextCare | null =>
    defaults === undefined && request.context_care === undefined
      ? null
      : { ...defaults, ...request.context_care };

  const prepare = async (
    request: ModelRequest,
    care: ContextCare,
    { signal }: Pick<ReplyOptions, 'signal'>,
  ): Promise<Fitted> => {
    const { context_care: _, ...plain } = request;
    const { keep_screenshots: keep, cache_breakpoints: breakpoints, fit_images: fit = false } = care;
    let prepared: ModelRequest = plain;
    if (keep != null) prepared = { ...prepared, messages: keepScreenshots(prepared.messages, keep) };
    if (breakpoints === 'auto') prepared = withBreakpoints(prepared);
    if (!fit) return { request: prepared, spacesOf: () => undefined };
    if (scaler === undefined) {
      throw new InvalidRequestError(
        'context_care.fit_images: this server has nothing to scale pictures with',
      );
    }
    return fitImages(prepared, { limits: imageLimits, scaler, signal });
  };

  async function* stream(
    request: ModelRequest,
    care: ContextCare,
    asked: ReplyOptions,
  ): AsyncGenerator<StreamEvent> {
    const fitted = await prepare(request, care, asked);
    yield* scaledStream(provider.stream(fitted.request, asked), fitted);
  }

  return {
    name: provider.name,
    async reply(request, asked) {
      const care = careOf(request);
      if (care === null) return provider.reply(request, asked);
      const fitted = await prepare(request, care, asked);
      return scaledReply(await provider.reply(fitted.request, asked), fitted);
    },
    stream(request, asked) {
      const care = careOf(request);
      return care === null ? provider.stream(request, asked) : stream(request, care, asked);
    },
    /** Counts the request that would be sent. */
    async countTokens(request, asked) {
      const care = careOf(request);
      const sent = care === null ? request : (await prepare(request, care, asked)).request;
      return provider.countTokens?.(sent, asked) ?? countInputTokens(sent);
    },
  };
}

/** Moves the coordinates of a reply to the client's space. */
function scaledReply(reply: ModelReply, { spacesOf }: Pick<Fitted, 'spacesOf'>): ModelReply {
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
async function* scaledStream(
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
