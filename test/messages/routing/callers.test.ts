import { createOpenAiProvider } from '../../../messages/providers/openai/openai-provider.ts';
import { createAnthropicProvider, type ModelRequest, parseMessageRequest } from '../../../messages/index.ts';
import { createProviderRegistry, type Route } from '../../../messages/routing/registry.ts';
import { createReplayProvider } from '../../../messages/providers/replay/replay-provider.ts';
import { TurnRecorder } from '../../../messages/providers/replay/record-turns.ts';
import { createScriptProvider } from '../../../messages/providers/script/script-provider.ts';
import { collectMessage } from '../../../messages/stream/collect-message.ts';
import * as anthropicDouble from '../../support/anthropic-upstream.ts';
import * as openaiDouble from '../../support/openai-upstream.ts';
import { userSays } from '../support.ts';
import { openedForAll } from '../../support/opened.ts';
import { fromModel, fromUser } from '../../support/blocks.ts';

const TOOL = { name: 'bash', input_schema: { type: 'object' as const } };
const ASK = '- bash: ls';
const DIRECT = { type: 'direct' };
const options = { signal: new AbortController().signal };

const anthropic = openedForAll(() => anthropicDouble.startUpstream());
const openai = openedForAll(() => openaiDouble.startOpenAiUpstream());
beforeEach(() => {
  anthropic.seen.length = 0;
  anthropic.answer = anthropicDouble.reply([anthropicDouble.toolUse('toolu_1', 'bash', { command: 'ls' })]);
  openai.answer = openaiDouble.chat({
    calls: [{ id: 'call_1', name: 'bash', arguments: { command: 'ls' } }],
  });
});

function request(model: string, ...later: ModelRequest['messages'][number][]): ModelRequest {
  const messages = [userSays(ASK), ...later];
  const tools = model === 'script' ? [{ type: 'bash_20250124' as const, name: 'bash' as const }] : [TOOL];
  return { model, max_tokens: 100, messages, tools, betas: [] };
}

const recorder = new TurnRecorder();
recorder.add({
  request: { tools: [TOOL], messages: [userSays(ASK)] },
  reply: {
    id: 'msg_1',
    model: 'replayed',
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'ls' } }],
    usage: { input_tokens: 1, output_tokens: 1 },
  },
});
const recording = recorder.finish({});

const registry = (change: Partial<Route> = {}): ReturnType<typeof createProviderRegistry> =>
  createProviderRegistry([
    { model: 'script', provider: createScriptProvider() },
    { model: 'replayed', provider: createReplayProvider({ recordingFor: async () => recording }) },
    { model: 'local', provider: createOpenAiProvider({ baseURL: openai.baseURL }) },
    {
      model: 'claude-x',
      provider: createAnthropicProvider({ apiKey: 'k', baseURL: anthropic.baseURL }),
      ...change,
    },
  ]);

describe.each(['script', 'replayed', 'local', 'claude-x'])('the model %s', (model) => {
  it('says in a whole reply who called a tool', async () => {
    const reply = await registry().providerFor(model).reply(request(model), options);
    expect(reply.content).toContainEqual(expect.objectContaining({ type: 'tool_use', caller: DIRECT }));
  });

  it('says it in a stream, where the block begins', async () => {
    const events = [];
    for await (const event of registry().providerFor(model).stream(request(model), options)) {
      events.push(event);
    }
    const starts = events.flatMap((event) =>
      event.type === 'content_block_start' ? [event.content_block] : [],
    );
    expect(starts).toContainEqual(expect.objectContaining({ type: 'tool_use', caller: DIRECT }));
    const { content } = await collectMessage(events);
    expect(content).toContainEqual(expect.objectContaining({ type: 'tool_use', caller: DIRECT }));
  });
});

it('a caller that the upstream names stays', async () => {
  const caller = { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' };
  anthropic.answer = anthropicDouble.reply([{ ...anthropicDouble.toolUse('toolu_1', 'bash', {}), caller }]);
  const { content } = await registry().providerFor('claude-x').reply(request('claude-x'), options);
  expect(content).toMatchObject([{ caller }]);
});

describe('a conversation that a client dumped whole', () => {
  const dumped = {
    model: 'claude-x',
    max_tokens: 100,
    tools: [TOOL],
    messages: [
      userSays(ASK),
      fromModel([
        { type: 'text', text: 'I look.', citations: null },
        { type: 'tool_use', id: 'toolu_1', name: 'bash', input: {}, caller: null, toolset_name: null },
        { type: 'tool_use', id: 'toolu_2', name: 'bash', input: { a: null }, caller: DIRECT },
      ]),
      fromUser([
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [{ type: 'text', text: 'b', citations: null, cache_control: null }],
          is_error: null,
          cache_control: null,
        },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: null },
      ]),
    ],
  };

  it('reaches an upstream without its nulls and without what is the default', async () => {
    const parsed = parseMessageRequest(dumped, { betas: [] });
    await registry().providerFor('claude-x').reply(parsed, options);
    expect(anthropic.seen[0]?.body['messages']).toEqual([
      userSays(ASK),
      fromModel([
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} },
        { type: 'tool_use', id: 'toolu_2', name: 'bash', input: { a: null } },
      ]),
      fromUser([
        { type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'b' }] },
        { type: 'tool_result', tool_use_id: 'toolu_2' },
      ]),
    ]);
  });

  it('reaches an upstream with a failed compaction as it is, and with callers of other kinds', async () => {
    const compaction = { type: 'compaction', content: null, encrypted_content: null };
    const caller = { type: 'code_execution_20260120', tool_id: 'srvtoolu_1' };
    const [ask] = dumped.messages;
    const parsed = parseMessageRequest(
      {
        ...dumped,
        messages: [
          ask,
          fromModel([compaction, { type: 'tool_use', id: 'toolu_1', name: 'bash', input: {}, caller }]),
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
        ],
      },
      { betas: [] },
    );
    await registry().providerFor('claude-x').reply(parsed, options);
    expect(anthropic.seen[0]?.body['messages']).toMatchObject([
      {},
      { content: [compaction, { type: 'tool_use', caller }] },
      {},
    ]);
  });
});
