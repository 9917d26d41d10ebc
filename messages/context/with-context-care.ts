import { InvalidRequestError } from '@steadyhand/contracts';
import type { ModelProvider, ReplyOptions } from '../providers/provider.ts';
import type { ModelRequest } from '../api/request.ts';
import type { StreamEvent } from '../api/api-types.ts';
import { countInputTokens } from '../tokens/request-tokens.ts';
import { withBreakpoints } from './cache-breakpoints.ts';
import type { ContextCare } from '../api/request.ts';
import { type Fitted, fitImages } from './fit-images.ts';
import { type ImageLimits, imageLimitsOf } from '../models/image-limits.ts';
import { keepScreenshots } from './keep-screenshots.ts';
import type { PictureScaler } from './picture-scaler.ts';
import { scaledReply, scaledStream } from './scaled-reply.ts';

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
