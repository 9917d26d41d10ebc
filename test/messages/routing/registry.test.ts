import {
  createDefaultProviders,
  createMessage,
  createProviderRegistry,
  ModelNotFoundError,
  parseMessageRequest,
  type ModelProvider,
} from '../../../messages/index.ts';
import { createScriptProvider } from '../../../messages/providers/script/script-provider.ts';
import { userSays } from '../support.ts';
import { errorBody, json, startUpstream } from '../../support/anthropic-upstream.ts';

const named = (name: string): ModelProvider => ({ ...createScriptProvider(), name });

it('takes the first route that fits, whole names and beginnings', () => {
  const registry = createProviderRegistry([
    { model: 'claude-local', provider: named('local') },
    { model: 'claude-*', provider: named('upstream') },
    { model: 'claude-opus-*', provider: named('never') },
    { model: 'off', provider: 'it is switched off' },
    { model: '*', provider: named('rest') },
  ]);
  const nameFor = (model: string): string => registry.providerFor(model).name;
  expect(['claude-local', 'claude-local-2', 'claude-opus-5', 'claude', 'script'].map(nameFor)).toEqual([
    'local',
    'upstream',
    'upstream',
    'rest',
    'rest',
  ]);
  expect(() => registry.providerFor('off')).toThrow('model: off (it is switched off)');
});

it('knows no model without routes', () => {
  const registry = createProviderRegistry([]);
  expect(() => registry.providerFor('script')).toThrow(ModelNotFoundError);
  expect(() => registry.providerFor('')).toThrow('model: ');
});

it('sends what is named claude to the configured upstream, and its refusals back', async () => {
  const upstream = await startUpstream();
  try {
    const providers = createDefaultProviders({ anthropic: { apiKey: 'k', baseURL: upstream.baseURL } });
    const body = { model: 'claude-opus-5', max_tokens: 10, messages: [userSays('hi')] };
    const request = parseMessageRequest(body, { betas: [] });
    upstream.answer = json(404, errorBody('not_found_error', 'model: claude-opus-5'));
    const { signal } = new AbortController();
    await expect(createMessage(request, { providers, signal })).rejects.toMatchObject({
      status: 404,
      message: 'model: claude-opus-5',
    });
    expect(upstream.seen[0]?.body).toEqual({ ...body, stream: false });
  } finally {
    await upstream.close();
  }
});
