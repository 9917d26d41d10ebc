import { readFileSync, writeFileSync, appendFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  collectMessage,
  type MessageParam,
  type ModelProvider,
  type ModelRequest,
  type Recording,
} from '../../../../messages/index.ts';
import { parseRecording } from '../../../../messages/providers/replay/recording.ts';
import {
  createReplayProvider,
  type ReplayProviderOptions,
} from '../../../../messages/providers/replay/replay-provider.ts';
import { withRecording } from '../../../../messages/providers/replay/with-recording.ts';
import type { ApiError } from '@steadyhand/contracts';
import { modelRequest, userSays } from '../../support.ts';
import { converse, options, picture, script, SCRIPT, tools, useFolder } from './support.ts';
import { fromUser } from '../../../support/blocks.ts';

const folder = useFolder();
const fileOf = (name = 'demo.jsonl'): string => path.join(folder(), name);

/** The recording of the script's conversation, and what was said in it. */
async function record(change: Partial<ModelRequest> = {}): Promise<{
  recording: Recording;
  requests: ModelRequest[];
  replies: Awaited<ReturnType<typeof converse>>['replies'];
}> {
  const said = await converse(withRecording(script(), { file: fileOf() }), change);
  return { ...said, recording: parseRecording(readFileSync(fileOf(), 'utf8')) };
}

const replay = (recording: Recording, how: Partial<ReplayProviderOptions> = {}): ModelProvider =>
  createReplayProvider({ recordingFor: async () => recording, ...how });

async function refusal(asked: Promise<unknown>): Promise<ApiError> {
  try {
    await asked;
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('the recording answered');
}

/** The newest request with its last tool result replaced. */
function withResult(request: ModelRequest, content: unknown): ModelRequest {
  const messages = structuredClone(request.messages) as MessageParam[];
  const last = messages.at(-1)?.content as { content: unknown }[];
  if (last[0]) last[0].content = content;
  return { ...request, messages };
}

describe('a recorded conversation', () => {
  it('answers as it did, and as a stream too', async () => {
    const { recording, requests, replies } = await record();
    expect(replies).toHaveLength(3);
    const again = await converse(replay(recording));
    expect(again.replies).toEqual(replies);
    for (const [index, request] of requests.entries()) {
      const streamed = await collectMessage(replay(recording).stream(request, options()));
      expect(streamed).toEqual(replies[index]);
    }
  });

  it('answers in any order, again and beside itself: it has no state', async () => {
    const { recording, requests, replies } = await record();
    const provider = replay(recording);
    const order = [2, 0, 1, 1, 2, 0];
    const got = await Promise.all(
      order.map((index) => provider.reply(requests[index] as ModelRequest, options())),
    );
    expect(got).toEqual(order.map((index) => replies[index]));
  });

  it('gives the ids of its caller, for the tool uses too', async () => {
    const { recording, requests } = await record();
    const [first] = requests;
    const one = await replay(recording).reply(first as ModelRequest, options('msg_one'));
    const other = await replay(recording).reply(first as ModelRequest, options('msg_other'));
    expect(one.id).toBe('msg_one');
    const idsOf = (reply: typeof one): string[] =>
      reply.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    expect(idsOf(one)[0]).toMatch(/^toolu_[0-9a-f]{24}$/);
    expect(idsOf(one)).not.toEqual(idsOf(other));
    expect(idsOf(one)).toEqual(
      idsOf(await replay(recording).reply(first as ModelRequest, options('msg_one'))),
    );
  });

  it('does not care for what differs from run to run', async () => {
    const { recording, requests, replies } = await record();
    const [, second] = requests as [ModelRequest, ModelRequest];
    const renamed = JSON.parse(
      JSON.stringify(second.messages).replaceAll(/toolu_[0-9a-f]+/g, 'call_7'),
    ) as MessageParam[];
    const marked = renamed.map(({ role, content }) => ({
      role,
      content:
        typeof content === 'string'
          ? content
          : (content as object[]).map((block) => ({ ...block, cache_control: { type: 'ephemeral' } })),
    })) as MessageParam[];
    const sent = {
      ...second,
      model: 'another-name',
      messages: marked,
      betas: ['another-beta'],
      metadata: { user_id: 'u' },
      max_tokens: 7,
      temperature: 1,
    };
    const reply = await replay(recording).reply(sent, options());
    expect(reply).toEqual({ ...replies[1], model: 'another-name' });
  });

  it('takes a text for a list of one text, and two messages of one role for one', async () => {
    const { recording, replies } = await record();
    const block = { type: 'text' as const, text: SCRIPT };
    const request = modelRequest({ messages: [{ role: 'user', content: [block] }] });
    expect(await replay(recording).reply(request, options())).toEqual(replies[0]);
  });
});

describe('a request that differs', () => {
  it('is refused with what differs: path, recorded, sent', async () => {
    const { recording, requests } = await record();
    const sent = withResult(requests[1] as ModelRequest, 'hello, world');
    const error = await refusal(replay(recording).reply(sent, options()));
    expect(error).toMatchObject({
      name: 'ReplayMismatchError',
      type: 'invalid_request_error',
      status: 400,
      retryable: false,
      message: [
        "this request differs from what the recording 'script' has for reply 2 (match: text):",
        '  messages.2.content.0.content.0.text: recorded "hello", sent "hello, world"',
      ].join('\n'),
      details: {
        error_code: 'replay_mismatch',
        differences: [
          { path: 'messages.2.content.0.content.0.text', recorded: '"hello"', sent: '"hello, world"' },
        ],
      },
    });
    const streamed = collectMessage(replay(recording).stream(sent, options()));
    expect((await refusal(streamed)).message).toBe(error.message);
  });

  it.each<[string, (request: ModelRequest) => ModelRequest, string]>([
    [
      'the system prompt',
      (request) => ({ ...request, system: 'Be brief.' }),
      '  system: recorded "Be kind.", sent "Be brief."',
    ],
    [
      'no system prompt',
      ({ system: _system, ...request }) => request,
      '  system: recorded "Be kind.", sent nothing',
    ],
    [
      'a tool',
      (request) => ({ ...request, tools: request.tools.slice(0, 2) }),
      '  tools.2: recorded {"type":"bash_20241022","name":"bash"}, sent nothing',
    ],
    [
      'the size of the screen',
      (request) => ({
        ...request,
        tools: request.tools.map((tool) =>
          'display_width_px' in tool ? { ...tool, display_width_px: 800 } : tool,
        ),
      }),
      '  tools.0.display_width_px: recorded 1024, sent 800',
    ],
    [
      'an error',
      (request) => ({
        ...request,
        messages: (structuredClone(request.messages) as unknown as { content: object[] }[]).map(
          (message, index) =>
            index === 2
              ? { ...message, content: message.content.map((block) => ({ ...block, is_error: true })) }
              : message,
        ) as never,
      }),
      '  messages.2.content.0.is_error: recorded nothing, sent true',
    ],
    [
      'a picture for a text',
      (request) =>
        withResult(request, [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture(1) } },
        ]),
      '  messages.2.content.0.content.0: recorded {"type":"text","text":"hello"}, sent {"type":"image"}',
    ],
    [
      'more results',
      (request) =>
        withResult(request, [
          { type: 'text', text: 'hello' },
          { type: 'text', text: 'more' },
        ]),
      '  messages.2.content.0.content.1: recorded nothing, sent {"type":"text","text":"more"}',
    ],
  ])('in %s', async (_what, change, line) => {
    const { recording, requests } = await record({ system: 'Be kind.' });
    const sent = change(requests[1] as ModelRequest);
    const { message } = await refusal(replay(recording).reply(sent, options()));
    expect(message.split('\n').slice(1)).toEqual([line]);
  });

  it('in what the assistant is said to have done', async () => {
    const { recording, requests } = await record();
    const [, second] = requests as [ModelRequest, ModelRequest];
    const messages = JSON.parse(JSON.stringify(second.messages).replace('echo hello', 'echo hallo')) as never;
    const { message } = await refusal(replay(recording).reply({ ...second, messages }, options()));
    expect(message).toContain('messages.0.content.0.text');
    const own = structuredClone(second.messages) as unknown as { content: { input?: object }[] }[];
    const use = own[1]?.content.find((block) => block.input !== undefined);
    if (use) use.input = { command: 'echo hallo' };
    expect(
      (await refusal(replay(recording).reply({ ...second, messages: own as never }, options()))).message,
    ).toMatch(/messages\.1\.content\.\d\.input\.command: recorded "echo hello", sent "echo hallo"/);
  });

  it('is shown where two long texts part, and no more than helps', async () => {
    const { recording, requests } = await record();
    const long = 'x'.repeat(5000);
    const other = await converse(withRecording(script(), { file: fileOf('long.jsonl') }), {}, (name, turn) =>
      name === 'bash' ? [{ type: 'text', text: `${long}A${long}` }] : tools(name, turn),
    );
    const longRecording = parseRecording(readFileSync(fileOf('long.jsonl'), 'utf8'));
    const sent = withResult(other.requests[1] as ModelRequest, `${long}B${long}`);
    const { message } = await refusal(replay(longRecording).reply(sent, options()));
    expect(message).toMatch(/recorded "…x+Ax+…", sent "…x+Bx+…"$/);
    expect(message.length).toBeLessThan(600);
    const blocks = Array.from({ length: 200 }, (_, n) => ({ type: 'text', text: `line ${n}` }));
    const many = await refusal(
      replay(recording).reply(withResult(requests[1] as ModelRequest, blocks), options()),
    );
    expect(many.message.split('\n')).toHaveLength(10);
    expect(many.message).toMatch(/\n {2}and many more$/);
    expect(many.message.length).toBeLessThan(3000);
  });

  it('because the recording has ended says so', async () => {
    const { recording, requests, replies } = await record();
    const last = requests.at(-1) as ModelRequest;
    const messages = [
      ...last.messages,
      { role: 'assistant' as const, content: replies.at(-1)?.content as never },
      userSays('Go on.'),
    ];
    const { message } = await refusal(replay(recording).reply({ ...last, messages }, options()));
    expect(message).toBe(
      "the recording 'script' has 3 replies to a conversation, and this request asks for one more",
    );
  });
});

describe('how alike requests must be', () => {
  const other = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: picture(99) } };

  it('text: a picture may be another, or left out by now', async () => {
    const { recording, requests, replies } = await record();
    const last = requests[2] as ModelRequest;
    const omitted = { type: 'text', text: '[an earlier screenshot, left out]' };
    for (const content of [[other], [omitted]]) {
      expect(await replay(recording).reply(withResult(last, content), options())).toEqual(replies[2]);
    }
  });

  it('exact: pictures to the byte, sampling and bounds too', async () => {
    const { recording, requests, replies } = await record({ temperature: 0 });
    const exact = replay(recording, { match: 'exact' });
    const last = requests[2] as ModelRequest;
    expect(await exact.reply(last, options())).toEqual(replies[2]);
    const image = await refusal(exact.reply(withResult(last, [other]), options()));
    expect(image.message).toMatch(
      /messages\.4\.content\.0\.content\.0\.source\.sha256: recorded "[0-9a-f]+", sent "[0-9a-f]+"/,
    );
    for (const [change, line] of [
      [{ temperature: 1 }, 'temperature: recorded 0, sent 1'],
      [{ max_tokens: 5 }, 'max_tokens: recorded 4096, sent 5'],
      [{ top_k: 5 }, 'top_k: recorded nothing, sent 5'],
    ] as const) {
      expect((await refusal(exact.reply({ ...last, ...change }, options()))).message).toContain(line);
    }
  });

  it('shape: any text, the same order of tools', async () => {
    const { recording, requests, replies } = await record();
    const shape = replay(recording, { match: 'shape' });
    const last = requests[2] as ModelRequest;
    expect(await shape.reply(withResult(last, 'another text'), options())).toEqual(replies[2]);
    const messages = structuredClone(last.messages) as unknown as { content: { name?: string }[] }[];
    const use = messages[1]?.content.find((block) => block.name !== undefined);
    if (use) use.name = 'computer';
    expect((await refusal(shape.reply({ ...last, messages: messages as never }, options()))).message).toMatch(
      /messages\.1\.content\.\d\.name: recorded "bash", sent "computer"/,
    );
  });

  it('what `ignore` finds may differ', async () => {
    const { requests, recording } = await record();
    const sent = withResult(requests[1] as ModelRequest, 'hello');
    const timed = JSON.parse(
      JSON.stringify(recording).replaceAll('"hello"', '"at 12:03:44, pid 17"'),
    ) as Recording;
    const now = withResult(sent, 'at 09:00:01, pid 4');
    await expect(replay(timed).reply(now, options())).rejects.toMatchObject({ name: 'ReplayMismatchError' });
    const ignore = [/\d\d:\d\d:\d\d/g, /pid \d+/g];
    await expect(replay(timed, { ignore }).reply(now, options())).resolves.toMatchObject({ type: 'message' });
  });
});

describe('a file of records', () => {
  it('has a line a turn, each with what is new, no picture and nobody’s to read but the owner’s', async () => {
    const { recording } = await record({ system: 'Be kind.' });
    const text = readFileSync(fileOf(), 'utf8');
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(
      lines.map(({ type, after, messages, request }) => [
        type,
        after,
        (messages as []).length,
        request !== undefined,
      ]),
    ).toEqual([
      ['recorded_turn', undefined, 1, true],
      ['recorded_turn', lines[0]?.['id'], 1, false],
      ['recorded_turn', lines[1]?.['id'], 1, false],
    ]);
    expect(text).not.toContain(picture(1));
    expect(recording.turns).toHaveLength(3);
    expect(statSync(fileOf()).mode & 0o077).toBe(0);
  });

  it('holds many conversations, at once and of the same beginning', async () => {
    const file = fileOf();
    const provider = withRecording(script(), { file });
    const variants = ['one', 'two', 'three'].map((words) =>
      converse(provider, {}, (name, turn) =>
        name === 'bash' ? [{ type: 'text', text: words }] : tools(name, turn),
      ),
    );
    const said = await Promise.all(variants);
    const recording = parseRecording(readFileSync(file, 'utf8'));
    // Their first requests are one.
    expect(recording.turns).toHaveLength(7);
    for (const { requests, replies } of said) {
      for (const [index, request] of requests.entries()) {
        expect(await replay(recording).reply(request, options())).toEqual(replies[index]);
      }
    }
  });

  it('is written by streams that were read to their end, and by no other', async () => {
    const provider = withRecording(script(), { file: fileOf() });
    const request = modelRequest({ messages: [userSays(SCRIPT)] });
    for await (const event of provider.stream(request, options()))
      if (event.type === 'content_block_stop') break;
    expect(() => statSync(fileOf())).toThrow('ENOENT');
    const whole = await collectMessage(provider.stream(request, options()));
    const recording = parseRecording(readFileSync(fileOf(), 'utf8'));
    expect(await replay(recording).reply(request, options())).toEqual(whole);
  });

  it('that cannot be written fails the reply', async () => {
    writeFileSync(fileOf('a-file'), '');
    const provider = withRecording(script(), { file: path.join(fileOf('a-file'), 'x.jsonl') });
    await expect(converse(provider)).rejects.toMatchObject({
      type: 'api_error',
      retryable: false,
      message: expect.stringMatching(/^the reply could not be recorded: E/) as string,
    });
  });

  it('holds the reply that is asked for again once it can be written', async () => {
    const inTheWay = fileOf('folder');
    writeFileSync(inTheWay, '');
    const file = path.join(inTheWay, 'x.jsonl');
    const provider = withRecording(script(), { file });
    await expect(converse(provider)).rejects.toMatchObject({ type: 'api_error' });
    rmSync(inTheWay);
    const { requests, replies } = await converse(provider);
    const recording = parseRecording(readFileSync(file, 'utf8'));
    for (const [index, request] of requests.entries()) {
      expect(await replay(recording).reply(request, options())).toEqual(replies[index]);
    }
  });

  it('keeps a recording of a larger session small: it grows with what is new', async () => {
    const steps = Array.from({ length: 60 }, (_, n) => `- bash: echo ${n}`).join('\n');
    const provider = withRecording(script(), { file: fileOf() });
    const messages: MessageParam[] = [userSays(steps)];
    for (let turn = 0; turn < 60; turn += 1) {
      const reply = await provider.reply(modelRequest({ messages: [...messages] }), options());
      const use = reply.content.find((block) => block.type === 'tool_use');
      messages.push({ role: 'assistant', content: reply.content as never });
      messages.push(
        fromUser([{ type: 'tool_result', tool_use_id: (use as { id: string }).id, content: `${turn}` }]),
      );
    }
    expect(statSync(fileOf()).size).toBeLessThan(100_000);
    const recording = parseRecording(readFileSync(fileOf(), 'utf8'));
    await expect(
      replay(recording).reply(modelRequest({ messages: messages.slice(0, 101) }), options()),
    ).resolves.toMatchObject({ stop_reason: 'tool_use' });
  });
});

describe('a recording that is no recording', () => {
  it.each([
    ['{}', 'type'],
    ['{"type":"recording","version":2,"turns":[]}', 'version'],
    ['{"type":"recording","version":1,"turns":[{"id":"a"}]}', 'turns.0.messages'],
    ['nonsense', 'line 1: expected JSON'],
    ['{"type":"recorded_turn"}', 'line 1: '],
  ])('is told where it is wrong: %j', (text, where) => {
    expect(() => parseRecording(text)).toThrow(where);
  });

  it('with nothing in it has no turns', () => {
    expect(parseRecording('').turns).toEqual([]);
  });

  it('whose writer died in a line is good up to there', async () => {
    await record();
    appendFileSync(fileOf(), '{"type":"recorded_turn","ver');
    expect(parseRecording(readFileSync(fileOf(), 'utf8')).turns).toHaveLength(3);
  });

  it.each([
    ['a turn that is not there', 'gone'],
    ['itself', 'self'],
  ])('whose turn goes on from %s is a fault of its own', async (_what, after) => {
    const { recording, requests } = await record();
    const [first] = recording.turns as [Recording['turns'][number]];
    const turns = [{ ...first, id: 'self', after }];
    const asked = Promise.all(
      requests.map((request) =>
        replay({ ...recording, turns })
          .reply(request, options())
          .catch((error: unknown) => error),
      ),
    );
    for (const error of await asked) {
      expect(error).toMatchObject({ status: expect.any(Number) as number, retryable: false });
    }
  });
});
