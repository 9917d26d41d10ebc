import type { ApiError } from '@steadyhand/contracts';
import { collectMessage, type ModelReply, type ModelRequest } from '../../../../messages/index.ts';
import { createOpenAiProvider } from '../../../../messages/providers/openai/openai-provider.ts';
import type { OpenAiProviderOptions } from '../../../../messages/providers/openai/options.ts';
import type { StreamEvent } from '../../../../messages/api/api-types.ts';
import { StreamGrammar } from '../../../../messages/stream/stream-grammar.ts';
import { startOpenAiUpstream, type OpenAiUpstream } from '../../../support/openai-upstream.ts';
import { modelRequest } from '../../support.ts';

export const KEY = 'sk-secret-of-the-upstream';
export const NOW = Date.parse('2026-11-21T12:00:00Z');

/** The double, started once for a file and empty before each test. */
export function useUpstream(): { readonly at: OpenAiUpstream } {
  const holder: { at: OpenAiUpstream } = { at: undefined as never };
  beforeAll(async () => {
    holder.at = await startOpenAiUpstream();
  });
  beforeEach(() => holder.at.reset());
  afterAll(() => holder.at.close());
  return holder;
}

export const chatRequest = (change: Partial<ModelRequest> = {}): ModelRequest =>
  modelRequest({ model: 'local-model', tools: [], betas: [], ...change });

export class Asking {
  readonly #upstream: { readonly at: OpenAiUpstream };
  constructor(upstream: { readonly at: OpenAiUpstream }) {
    this.#upstream = upstream;
  }

  provider(options: Partial<OpenAiProviderOptions> = {}): ReturnType<typeof createOpenAiProvider> {
    return createOpenAiProvider({ baseURL: this.#upstream.at.baseURL, apiKey: KEY, ...options });
  }

  reply(
    change: Partial<ModelRequest> = {},
    options: Partial<OpenAiProviderOptions> = {},
  ): Promise<ModelReply> {
    return this.provider(options).reply(chatRequest(change), {
      signal: new AbortController().signal,
      id: 'msg_1',
      now: () => NOW,
    });
  }

  /** The events of a stream, each in its place. */
  async events(
    change: Partial<ModelRequest> = {},
    options: Partial<OpenAiProviderOptions> = {},
  ): Promise<StreamEvent[]> {
    const grammar = new StreamGrammar();
    const events: StreamEvent[] = [];
    const stream = this.provider(options).stream(chatRequest(change), {
      signal: new AbortController().signal,
      id: 'msg_1',
      now: () => NOW,
    });
    for await (const event of stream) events.push(grammar.take(event));
    grammar.end();
    return events;
  }

  /** The whole reply of a stream. */
  async streamed(
    change: Partial<ModelRequest> = {},
    options: Partial<OpenAiProviderOptions> = {},
  ): Promise<ModelReply> {
    return collectMessage(await this.events(change, options));
  }

  /** What the upstream was asked. */
  async body(
    change: Partial<ModelRequest> = {},
    options: Partial<OpenAiProviderOptions> = {},
  ): Promise<Record<string, unknown>> {
    await this.reply(change, options);
    return this.#upstream.at.seen.at(-1)?.body ?? {};
  }
}

export async function fault(asked: Promise<unknown>): Promise<ApiError> {
  try {
    await asked;
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('the provider answered');
}
