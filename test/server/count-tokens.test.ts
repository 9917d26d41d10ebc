import Anthropic from '@anthropic-ai/sdk';
import { createDefaultProviders, type Base64ImageSource } from '../../messages/index.ts';
import { json, startUpstream } from '../support/anthropic-upstream.ts';
import { png } from '../messages/support.ts';
import { ask, startServer, stopServers, type Running } from './harness.ts';
import { openedForAll } from '../support/opened.ts';
import { posted } from '../support/posted.ts';

let running: Running;
let client: Anthropic;

const upstream = openedForAll(startUpstream);
beforeAll(async () => {
  const providers = createDefaultProviders({
    anthropic: { apiKey: 'sk-upstream', baseURL: upstream.baseURL },
  });
  running = await startServer({ providers, catalog: providers });
  client = new Anthropic({ baseURL: running.url, apiKey: 'sk-client', maxRetries: 0, logLevel: 'off' });
});
beforeEach(() => upstream.reset());
afterAll(stopServers);

const said = [{ role: 'user' as const, content: 'Hello' }];
const display = { name: 'computer', display_width_px: 1024, display_height_px: 768 } as const;

async function post(body: unknown, query = ''): Promise<{ status: number; body: Record<string, unknown> }> {
  return await ask(`${running.url}/v1/messages/count_tokens${query}`, posted(body));
}

describe('a model that is counted for here', () => {
  it('is answered with `input_tokens` alone, and with `context_management` under a beta', async () => {
    expect(await client.messages.countTokens({ model: 'script', messages: said })).toEqual({
      input_tokens: 8,
    });
    expect(await client.beta.messages.countTokens({ model: 'script', messages: said })).toEqual({
      input_tokens: 8,
      context_management: null,
    });
    expect((await post({ model: 'script', messages: said }, '?beta=true')).body).toEqual({
      input_tokens: 8,
      context_management: null,
    });
  });

  it('costs the tools of 20241022 by tool choice: 466 / 499 and 683, 700, 245', async () => {
    const count = async (tool_choice: Anthropic.Beta.BetaToolChoice): Promise<number> => {
      const { input_tokens } = await client.beta.messages.countTokens({
        model: 'script',
        messages: said,
        tools: [
          { type: 'computer_20241022', ...display },
          { type: 'text_editor_20241022', name: 'str_replace_editor' },
          { type: 'bash_20241022', name: 'bash' },
        ],
        tool_choice,
        betas: ['computer-use-2024-10-22'],
      });
      return input_tokens - 8;
    };
    const tools = 683 + 700 + 245;
    expect(await count({ type: 'auto' })).toBe(466 + tools);
    expect(await count({ type: 'any' })).toBe(499 + tools);
    expect(await count({ type: 'tool', name: 'bash' })).toBe(499 + tools);
  });

  it('counts the toolset without a beta, and pictures by their pixels', async () => {
    const { input_tokens: toolset } = await client.messages.countTokens({
      model: 'script',
      messages: said,
      tools: [{ type: 'computer_toolset_20260801' }],
    });
    expect(toolset).toBe(8 + 4500);
    const source: Base64ImageSource = { type: 'base64', media_type: 'image/png', data: png(1024, 768) };
    const { input_tokens: picture } = await client.messages.countTokens({
      model: 'script',
      messages: [{ role: 'user', content: [{ type: 'image', source }] }],
    });
    expect(picture).toBe(7 + 1049);
  });

  it('is what the reply to the same request says in `usage`', async () => {
    const request = {
      model: 'script',
      messages: [{ role: 'user' as const, content: '- say: hello' }],
      system: 'Be kind.',
      tools: [{ type: 'bash_20250124' as const, name: 'bash' as const }],
    };
    const { input_tokens } = await client.messages.countTokens(request);
    const { usage } = await client.messages.create({ ...request, max_tokens: 100 });
    expect(usage.input_tokens).toBe(input_tokens);
    expect(usage.output_tokens).toBeGreaterThan(3);
    expect(usage.output_tokens).toBeLessThan(30);
  });

  it.each<[string, unknown, number, string]>([
    [
      'max_tokens',
      { model: 'script', messages: said, max_tokens: 1 },
      400,
      'max_tokens: Extra inputs are not permitted',
    ],
    [
      'stream',
      { model: 'script', messages: said, stream: true },
      400,
      'stream: Extra inputs are not permitted',
    ],
    ['no messages', { model: 'script', messages: [] }, 400, 'messages: at least one message is required'],
    ['no model', { messages: said }, 400, 'model: Field required'],
    ['a model that nobody has', { model: 'nobody', messages: said }, 404, 'model: nobody'],
  ])('refuses %s', async (_what, body, status, message) => {
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(answer.body['error']).toMatchObject({ message: expect.stringContaining(message) as string });
  });
});

describe('a model with an upstream that counts', () => {
  it('has the upstream’s count, asked without what it does not take', async () => {
    upstream.countTokens = json(200, { input_tokens: 4711 });
    const counted = await client.beta.messages.countTokens({
      model: 'claude-sonnet-4-5',
      messages: said,
      system: 'Be kind.',
      tools: [{ type: 'computer_20250124', ...display }],
      betas: ['computer-use-2025-01-24'],
    });
    expect(counted.input_tokens).toBe(4711);
    const [asked] = upstream.seen;
    expect(asked?.url).toMatch(/^\/v1\/messages\/count_tokens/);
    expect(asked?.headers['x-api-key']).not.toBe('sk-client');
    expect(String(asked?.headers['anthropic-beta'])).toContain('computer-use-2025-01-24');
    expect(Object.keys(asked?.body ?? {}).toSorted()).toEqual(['messages', 'model', 'system', 'tools']);
  });

  it('has the upstream’s faults as the API words them', async () => {
    upstream.countTokens = json(529, {
      type: 'error',
      error: { type: 'overloaded_error', message: 'Overloaded' },
    });
    await expect(
      client.messages.countTokens({ model: 'claude-sonnet-5', messages: said }),
    ).rejects.toMatchObject({ status: 529, error: { error: { type: 'overloaded_error' } } });
  });
});
