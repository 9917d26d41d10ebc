import type { StreamEvent } from '../api/api-types.ts';
import type { ModelDirectory } from '../models/upstream-model.ts';
import type { ModelProvider } from '../providers/provider.ts';
import type { ProviderFigures, TokenCounts } from './figures.ts';

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

/** Counts what a provider is asked, under the client's name for the model. */
export function withFigures(provider: ModelProvider, model: string, figures: ProviderFigures): ModelProvider {
  const counted = provider.countTokens?.bind(provider);
  return {
    name: provider.name,
    async reply(request, options) {
      const asked = figures.begin(model);
      try {
        const reply = await provider.reply(request, options);
        asked.answered(tokensOf(reply.usage));
        return reply;
      } catch (error) {
        if (options.signal.aborted) asked.left();
        else asked.failed(error);
        throw error;
      }
    },
    stream: (request, options) =>
      countedStream(
        () => provider.stream(request, options),
        options.signal,
        () => figures.begin(model),
      ),
    ...(counted === undefined ? {} : { countTokens: counted }),
    ...(provider.lacksContextEdits === true ? { lacksContextEdits: true } : {}),
  };
}

async function* countedStream(
  open: () => AsyncIterable<StreamEvent>,
  signal: AbortSignal,
  begin: () => ReturnType<ProviderFigures['begin']>,
): AsyncGenerator<StreamEvent> {
  const asked = begin();
  let tokens = NOTHING;
  let ended = false;
  try {
    for await (const event of open()) {
      if (event.type === 'message_start') tokens = tokensOf(event.message.usage, tokens);
      else if (event.type === 'message_delta') tokens = tokensOf(event.usage, tokens);
      else if (event.type === 'content_block_start') asked.first();
      if (event.type === 'message_stop') {
        // Whoever reads a reply may stop here without asking for the end.
        ended = true;
        asked.answered(tokens);
      }
      yield event;
    }
    if (!ended) asked.answered(tokens);
    ended = true;
  } catch (error) {
    if (!ended && signal.aborted) asked.left(tokens);
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
