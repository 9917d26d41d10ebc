import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk';
import { createDefaultProviders } from '../../messages/index.ts';
import { startUpstream, type AnthropicUpstream } from '../support/anthropic-upstream.ts';
import { startServer, stopServers } from '../server/harness.ts';
import { obligingModel } from './model-double.ts';

/** The server before an upstream double, and the official client before the server. */
export interface Front {
  readonly upstream: AnthropicUpstream;
  readonly url: string;
  client(options?: ClientOptions): Anthropic;
}

/** Made once for the tests of a file; each begins with an upstream that answers as `obligingModel` does. */
export function useFront(): () => Front {
  let front: Front | undefined;
  beforeAll(async () => {
    const upstream = await startUpstream();
    const providers = createDefaultProviders({
      anthropic: { apiKey: 'sk-upstream', baseURL: upstream.baseURL },
    });
    const { url } = await startServer({ providers, catalog: providers });
    front = {
      upstream,
      url,
      client: (options = {}) =>
        new Anthropic({ baseURL: url, apiKey: 'sk-client', maxRetries: 0, logLevel: 'off', ...options }),
    };
  });
  beforeEach(() => {
    front?.upstream.reset();
    if (front !== undefined) front.upstream.answer = obligingModel;
  });
  afterAll(async () => {
    await stopServers();
    await front?.upstream.close();
  });
  return () => {
    if (front === undefined) throw new Error('the front is not up');
    return front;
  };
}

export const MODEL = 'claude-opus-5';

/** The least of a request. */
export const ASK = {
  model: MODEL,
  max_tokens: 1024,
  messages: [{ role: 'user' as const, content: 'Hello' }],
};
