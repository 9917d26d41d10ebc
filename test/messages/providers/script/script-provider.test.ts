import type { Anthropic } from '@anthropic-ai/sdk';
import {
  createMessage,
  countInputTokens,
  createDefaultProviders,
  parseMessageRequest,
} from '../../../../messages/index.ts';
import { createScriptProvider } from '../../../../messages/providers/script/script-provider.ts';
import { COMPUTER_USE, modelRequest, TOOLS, userSays } from '../../support.ts';
import { texts, uses } from './conversing.ts';
import { toolUse } from '../../../support/blocks.ts';

const provider = createScriptProvider();
const { signal } = new AbortController();
const ask = (script: string, change: object = {}, id?: string): ReturnType<typeof provider.reply> =>
  provider.reply(modelRequest({ messages: [userSays(script)], ...change }), { signal, ...(id && { id }) });

it('answers with a whole message of the API, as the SDK types it', async () => {
  const reply: Anthropic.Beta.Messages.BetaMessage = await ask('- bash: ls', {}, 'msg_1');
  expect(reply).toEqual({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'script',
    content: [
      { type: 'text', text: 'Script: step 1 of 1 (`bash`, line 1).', citations: null },
      toolUse(expect.stringMatching(/^toolu_[0-9a-f]{24}$/) as string, 'bash', { command: 'ls' }),
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    stop_details: null,
    container: null,
    context_management: null,
    diagnostics: null,
    usage: expect.objectContaining({ cache_creation_input_tokens: 0, cache_read_input_tokens: 0 }) as never,
  });
});

it('counts what it was asked and what it answered', async () => {
  const request = modelRequest({ messages: [userSays('- bash: ls')] });
  const { usage } = await provider.reply(request, { signal });
  expect(usage.input_tokens).toBe(countInputTokens(request));
  expect(usage.input_tokens).toBeGreaterThan(466 + 683 + 700 + 245);
  expect(usage.output_tokens).toBeGreaterThan(10);
  expect(usage.output_tokens).toBeLessThan(80);
});

it('derives the ids of its tool uses from the id of the reply', async () => {
  const idsOf = async (id?: string): Promise<string[]> =>
    (await ask('- together: [{bash: a}, {bash: a}]', {}, id)).content.flatMap((block) =>
      block.type === 'tool_use' ? [block.id] : [],
    );
  const ids = [...(await idsOf('msg_1')), ...(await idsOf('msg_2')), ...(await idsOf())];
  expect(new Set(ids).size).toBe(6);
  expect(await idsOf('msg_1')).toEqual(ids.slice(0, 2));
  expect(await idsOf()).toEqual(ids.slice(4));
});

describe('limits of the request', () => {
  it('are kept: a text is cut where max_tokens are spent', async () => {
    const long = await ask(`- say: ${'one two three '.repeat(50)}`, { max_tokens: 20 });
    expect(long.stop_reason).toBe('max_tokens');
    expect(long.usage.output_tokens).toBeLessThanOrEqual(20);
    expect(texts(long).join()).toMatch(/^one two three/);
  });

  it('are kept: a tool use that does not fit is not there', async () => {
    const reply = await ask(`- bash: echo ${'word '.repeat(500)}`, { max_tokens: 100 });
    expect(uses(reply)).toEqual([]);
    expect(reply.stop_reason).toBe('max_tokens');
    expect((await ask('- bash: ls', { max_tokens: 0 })).content).toEqual([]);
  });

  it('are kept: a stop sequence ends the reply before it', async () => {
    const reply = await ask('- say: one two STOP three\n- bash: ls', { stop_sequences: ['END', 'STOP'] });
    expect(reply).toMatchObject({
      stop_reason: 'stop_sequence',
      stop_sequence: 'STOP',
      content: [{ type: 'text', text: 'one two ' }],
    });
    expect((await ask('- say: STOP', { stop_sequences: ['STOP'] })).content).toEqual([]);
  });
});

it('does not answer a request that was given up', async () => {
  const reason = new Error('given up');
  const given = { signal: AbortSignal.abort(reason) };
  await expect(provider.reply(modelRequest({}), given)).rejects.toBe(reason);
});

describe('createMessage', () => {
  const providers = createDefaultProviders({});
  const body = { model: 'script', max_tokens: 100, messages: [userSays('- say: Hello.')], tools: TOOLS };
  const create = (change: object): ReturnType<typeof createMessage> =>
    createMessage(parseMessageRequest({ ...body, ...change }, { betas: [COMPUTER_USE] }), {
      providers,
      signal,
    });

  it('answers by the provider of the model', async () => {
    expect(texts(await create({}))).toEqual(['Hello.', 'Script: finished, 1 of 1 steps.']);
  });

  it('does not know other models', async () => {
    await expect(create({ model: 'gpt-4' })).rejects.toMatchObject({
      status: 404,
      type: 'not_found_error',
      message: 'model: gpt-4',
    });
    await expect(create({ model: 'scripted' })).rejects.toMatchObject({ message: 'model: scripted' });
    await expect(create({ model: 'claude-opus-5' })).rejects.toMatchObject({
      status: 404,
      message:
        'model: claude-opus-5 (no upstream is configured for it: set ANTHROPIC_API_KEY, or name one in a PROVIDERS file)',
    });
  });
});
