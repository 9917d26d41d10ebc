import {
  collectMessage,
  createAnthropicProvider,
  createProviderRegistry,
  type ModelProvider,
  type ModelRequestObserver,
} from '../../messages/index.ts';
import { createOpenAiProvider } from '../../messages/providers/openai/openai-provider.ts';
import { startUpstream } from '../support/anthropic-upstream.ts';
import { openedForAll } from '../support/opened.ts';
import { startOpenAiUpstream } from '../support/openai-upstream.ts';
import { modelRequest } from './support.ts';

const TRACEPARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const anthropic = openedForAll(startUpstream);
const openai = openedForAll(startOpenAiUpstream);

const PROVIDERS: [string, () => ModelProvider, { readonly seen: readonly { readonly headers: object }[] }][] =
  [
    ['anthropic', () => createAnthropicProvider({ apiKey: 'key', baseURL: anthropic.baseURL }), anthropic],
    ['openai', () => createOpenAiProvider({ apiKey: 'key', baseURL: openai.baseURL }), openai],
  ];

const request = modelRequest({ model: 'm', tools: [], betas: [] });
const { signal } = new AbortController();

describe.each(PROVIDERS)('%s', (_name, provider, upstream) => {
  it.each(['reply', 'stream'] as const)(
    'is told the trace of a %s, which its observer sees end',
    async (way) => {
      const ends: string[] = [];
      const observer: ModelRequestObserver = {
        begin: ({ provider: name, model, streamed }) => ({
          traceparent: TRACEPARENT,
          first: () => undefined,
          answered: ({ output }) => void ends.push(`${name} ${model} ${streamed} ${output > 0}`),
          failed: ({ type }) => void ends.push(type),
          left: () => void ends.push('left'),
        }),
      };
      const asked = createProviderRegistry([{ model: 'm', provider: provider() }], { observer }).providerFor(
        'm',
      );
      if (way === 'reply') await asked.reply(request, { signal });
      else await collectMessage(asked.stream(request, { signal }));
      expect(upstream.seen.at(-1)?.headers).toMatchObject({ traceparent: TRACEPARENT });
      expect(ends).toEqual([`${provider().name} m ${way === 'stream'} true`]);
    },
  );

  it('is told nothing where nobody observes', async () => {
    const asked = createProviderRegistry([{ model: 'm', provider: provider() }]).providerFor('m');
    await asked.reply(request, { signal });
    expect(upstream.seen.at(-1)?.headers).not.toHaveProperty('traceparent');
  });
});
