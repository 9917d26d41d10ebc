import { ApiError } from '@steadyhand/contracts';
import type { StreamEvent } from '../api/api-types.ts';
import type { ModelRequest } from '../api/request.ts';
import type { ModelDirectory } from '../models/upstream-model.ts';
import type { ModelProvider, ReplyOptions } from '../providers/provider.ts';
import { contactOf } from './contact.ts';
import type { ProviderFigures, RequestUnderWay, TokenCounts } from './figures.ts';
import type { AskedModel, ModelRequestObserver } from './observer.ts';

interface Used {
  readonly input_tokens?: number | null;
  readonly output_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
}

/** Later counts of a stream replace earlier ones; null and zero are no news. */
function tokensOf(used: Used, before: TokenCounts = NOTHING): TokenCounts {
  return {
    input: used.input_tokens || before.input,
    output: used.output_tokens || before.output,
    cache_write: used.cache_creation_input_tokens || before.cache_write,
    cache_read: used.cache_read_input_tokens || before.cache_read,
  };
}

const NOTHING: TokenCounts = { input: 0, output: 0, cache_write: 0, cache_read: 0 };

/** Counts what a provider is asked, under the client's name for the model, and lets an observer follow each request. */
export function withFigures(
  provider: ModelProvider,
  model: string,
  figures: ProviderFigures,
  observed?: Observed,
): ModelProvider {
  const counted = provider.countTokens?.bind(provider);
  const begin = (request: ModelRequest, streamed: boolean): Followed =>
    follow(figures.begin(model), observed, {
      kind: provider.name,
      model,
      streamed,
      maxTokens: request.max_tokens,
    });
  return {
    name: provider.name,
    async reply(request, options) {
      const asked = begin(request, false);
      try {
        const reply = await provider.reply(request, asked.traced(options));
        asked.answered(tokensOf(reply.usage), reply.stop_reason);
        return reply;
      } catch (error) {
        if (options.signal.aborted) asked.left();
        else asked.failed(error);
        throw error;
      }
    },
    stream: (request, options) =>
      countedStream(
        (traced) => provider.stream(request, traced),
        options,
        () => begin(request, true),
      ),
    ...(counted === undefined ? {} : { countTokens: counted }),
    ...(provider.lacksContextEdits === true ? { lacksContextEdits: true } : {}),
  };
}

/** Who follows the requests, and the provider's name in the configuration. */
interface Observed {
  readonly observer: ModelRequestObserver;
  readonly name: string;
}

/** A request whose ends are told to the figures and to the observer. */
interface Followed {
  /** The options with which the provider is asked. */
  traced(options: ReplyOptions): ReplyOptions;
  first(): void;
  answered(tokens: TokenCounts, stopReason: string | null): void;
  failed(error: unknown, tokens?: TokenCounts): void;
  left(tokens?: TokenCounts): void;
}

function follow(
  asked: RequestUnderWay,
  observed: Observed | undefined,
  about: Omit<AskedModel, 'provider'>,
): Followed {
  const seen = observed?.observer.begin({ provider: observed.name, ...about });
  return {
    traced: (options) =>
      seen?.traceparent === undefined ? options : { ...options, traceparent: seen.traceparent },
    first() {
      asked.first();
      seen?.first();
    },
    answered(tokens, stopReason) {
      asked.answered(tokens);
      seen?.answered(tokens, stopReason);
    },
    failed(error, tokens = NOTHING) {
      asked.failed(error, tokens);
      const type = error instanceof ApiError ? error.type : 'unknown';
      seen?.failed({ type, limited: contactOf(error, 0).state === 'limited' }, tokens);
    },
    left(tokens = NOTHING) {
      asked.left(tokens);
      seen?.left(tokens);
    },
  };
}

async function* countedStream(
  open: (options: ReplyOptions) => AsyncIterable<StreamEvent>,
  options: ReplyOptions,
  begin: () => Followed,
): AsyncGenerator<StreamEvent> {
  const asked = begin();
  let tokens = NOTHING;
  let stopReason: string | null = null;
  let ended = false;
  try {
    for await (const event of open(asked.traced(options))) {
      if (event.type === 'message_start') tokens = tokensOf(event.message.usage, tokens);
      else if (event.type === 'message_delta') {
        tokens = tokensOf(event.usage, tokens);
        stopReason = event.delta.stop_reason;
      } else if (event.type === 'content_block_start') asked.first();
      if (event.type === 'message_stop') {
        // Whoever reads a reply may stop here without asking for the end.
        ended = true;
        asked.answered(tokens, stopReason);
      }
      yield event;
    }
    if (!ended) asked.answered(tokens, stopReason);
    ended = true;
  } catch (error) {
    if (!ended && options.signal.aborted) asked.left(tokens);
    else if (!ended) asked.failed(error, tokens);
    ended = true;
    throw error;
  } finally {
    if (!ended) asked.left(tokens);
  }
}

/** Notes whether a provider's list of models could be had. */
export function directoryWithFigures(directory: ModelDirectory, figures: ProviderFigures): ModelDirectory {
  const noted = async <T>(signal: AbortSignal, work: Promise<T>): Promise<T> => {
    try {
      const found = await work;
      figures.listed();
      return found;
    } catch (error) {
      if (hasNoList(error)) figures.listed();
      else figures.missed(signal.aborted ? signal.reason : error, null);
      throw error;
    }
  };
  return {
    list: (options) => noted(options.signal, directory.list(options)),
    retrieve: (id, options) => noted(options.signal, directory.retrieve(id, options)),
  };
}

/** Servers of models need not list them; one that says so is there. */
function hasNoList(error: unknown): boolean {
  const status = (error as { readonly status?: unknown } | null)?.status;
  return status === 404 || status === 405 || status === 501;
}
