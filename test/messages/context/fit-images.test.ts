import { createPictureScaler } from '../../../app/picture-scaler.ts';
import {
  createAnthropicProvider,
  createProviderRegistry,
  collectMessage,
  type Message,
  type ModelProvider,
  type ModelRequest,
} from '../../../messages/index.ts';
import type { Route } from '../../../messages/routing/registry.ts';
import { readImageInfo } from '../../../messages/tokens/image-info.ts';
import { reply, startUpstream, toolUse } from '../../support/anthropic-upstream.ts';
import { modelRequest, userSays } from '../support.ts';
import { computer, image, picture, step } from './support.ts';
import { openedForAll } from '../../support/opened.ts';
import { fromUser } from '../../support/blocks.ts';

const upstream = openedForAll(startUpstream);
afterEach(() => upstream.reset());

const scaler = createPictureScaler();
const { signal } = new AbortController();
const MODEL = 'claude-local';

function provider(change: Partial<Route> = {}): ModelProvider {
  const anthropic = createAnthropicProvider({ apiKey: 'test-key-0', baseURL: upstream.baseURL });
  return createProviderRegistry([{ model: 'claude-*', provider: anthropic, ...change }], {
    scaler,
  }).providerFor(MODEL);
}

const asked = (change: Partial<ModelRequest>): ModelRequest =>
  modelRequest({
    model: MODEL,
    tools: [computer(1920, 1080)],
    context_care: { fit_images: true },
    ...change,
  });

const click = (coordinate: number[]): object => ({ action: 'left_click', coordinate });

function sent(): { tools: Record<string, unknown>[]; messages: { content: Record<string, unknown>[] }[] } {
  return upstream.seen.at(-1)?.body as never;
}

const inputOf = (message: Pick<Message, 'content'>): unknown =>
  message.content.flatMap((block) => (block.type === 'tool_use' ? [block.input] : []))[0];

async function bothWays(request: ModelRequest, change: Partial<Route> = {}): Promise<Message[]> {
  const whole = await provider(change).reply(request, { signal });
  const streamed = await collectMessage(provider(change).stream(request, { signal }));
  return [whole, streamed];
}

it('the model sees a smaller screen, and the client hears of its own', async () => {
  upstream.answer = reply([toolUse('toolu_2', 'computer', click([728, 409]))]);
  const request = asked({
    messages: [
      userSays('go'),
      ...step('toolu_1', { action: 'mouse_move', coordinate: [1919, 1079] }, [
        image(await picture(1920, 1080)),
      ]),
    ],
  });
  const answers = await bothWays(request);
  // 1456 x 819 is what an older model takes of 1920 x 1080.
  expect(sent().tools[0]).toMatchObject({ display_width_px: 1456, display_height_px: 819 });
  expect(sent().messages[1]?.content[0]).toMatchObject({ input: { coordinate: [1455, 818] } });
  const [result] = sent().messages[2]?.content ?? [];
  const [shot] = (result?.['content'] ?? []) as { source: { data: string } }[];
  expect(readImageInfo(shot?.source.data ?? '')).toMatchObject({ width: 1456, height: 819 });
  for (const answer of answers) expect(inputOf(answer)).toEqual(click([960, 540]));
  expect(upstream.seen[0]?.body).not.toHaveProperty('context_care');
});

it('what a model said comes back to it as it was: a cache of the conversation hits', async () => {
  const said = click([17, 801]);
  upstream.answer = reply([toolUse('toolu_1', 'computer', said)]);
  const answer = await provider().reply(asked({ messages: [userSays('go')] }), { signal });
  const next = asked({
    messages: [userSays('go'), { role: 'assistant', content: answer.content }, userSays('on')] as never,
  });
  await provider().reply(next, { signal });
  expect(sent().messages[1]?.content[0]).toMatchObject({ input: said });
});

it("the pointer's place in a result moves too, and only there", async () => {
  const words = 'X=1919,Y=1079';
  await provider().reply(
    asked({
      messages: [
        userSays(words),
        ...step('toolu_1', { action: 'cursor_position' }, [{ type: 'text', text: words }]),
        ...step('toolu_2', { action: 'cursor_position' }, words),
        ...step('toolu_3', { action: 'screenshot' }, words),
      ],
    }),
    { signal },
  );
  const results = JSON.stringify(sent().messages).match(/X=\d+,Y=\d+/g);
  expect(results).toEqual([words, 'X=1455,Y=818', 'X=1455,Y=818', words]);
});

it('without the wish, and for a screen that fits, nothing is touched', async () => {
  upstream.answer = reply([toolUse('toolu_2', 'computer', click([728, 409]))]);
  const data = await picture(1920, 1080);
  const messages = [userSays('go'), ...step('toolu_1', { action: 'screenshot' }, [image(data)])];
  for (const request of [
    asked({ messages, context_care: {} }),
    asked({ messages: [userSays('go')], tools: [computer(1024, 768)] }),
  ]) {
    for (const answer of await bothWays(request)) expect(inputOf(answer)).toEqual(click([728, 409]));
    expect(sent().tools).toEqual(request.tools);
    expect(sent().messages).toEqual(request.messages);
  }
});

it('a newer model takes the screen as it is, and a route may say what its model takes', async () => {
  const request = asked({ messages: [userSays('go')] });
  await provider({ upstreamModel: 'claude-opus-4-7', tools: 'as_listed' }).reply(request, { signal });
  expect(sent().tools[0]).toMatchObject({ display_width_px: 1920 });
  await provider({ imageLimits: { long_edge: 960, tokens: 4000 } }).reply(request, { signal });
  expect(sent().tools[0]).toMatchObject({ display_width_px: 960, display_height_px: 540 });
});

it('the screen of a toolset is its newest screenshot, not a zoom into it', async () => {
  const use = (id: string, name: string, input: object): object => ({
    type: 'tool_use',
    id,
    name,
    toolset_name: 'computer',
    input,
  });
  const result = (id: string, data: string): object => ({
    type: 'tool_result',
    tool_use_id: id,
    toolset_name: 'computer',
    content: [image(data)],
  });
  upstream.answer = reply([use('toolu_9', 'left_click', { coordinate: [728, 409] }) as never]);
  const request = asked({
    tools: [{ type: 'computer_toolset_20260801' }],
    messages: [
      userSays('go'),
      { role: 'assistant', content: [use('toolu_1', 'left_click', { coordinate: [5, 5] })] },
      { role: 'user', content: [result('toolu_1', await picture(1920, 1080))] },
      { role: 'assistant', content: [use('toolu_2', 'zoom', { region: [0, 0, 960, 1080] })] },
      { role: 'user', content: [result('toolu_2', await picture(400, 450))] },
    ] as never,
  });
  for (const answer of await bothWays(request)) expect(inputOf(answer)).toEqual({ coordinate: [960, 540] });
  expect(sent().messages[1]?.content[0]).toMatchObject({ input: { coordinate: [5, 5] } });
  expect(sent().messages[3]?.content[0]).toMatchObject({ input: { region: [0, 0, 728, 819] } });
});

it('what cannot be scaled is refused with a reason, never sent wrong', async () => {
  const gif = Buffer.concat([Buffer.from('GIF89a'), Buffer.from([0xd0, 7, 0xd0, 7, 0, 0, 0])]).toString(
    'base64',
  );
  const broken = asked({
    messages: [fromUser([{ type: 'image', source: { type: 'base64', media_type: 'image/gif', data: gif } }])],
  });
  await expect(provider().reply(broken, { signal })).rejects.toThrow(
    /^context_care.fit_images: a picture cannot be scaled: /,
  );
  const browser = asked({ tools: [{ type: 'browser_toolset_20260801' } as never] });
  await expect(provider().reply(browser, { signal })).rejects.toThrow('not with a browser toolset');
  const anthropic = createAnthropicProvider({ apiKey: 'test-key-0', baseURL: upstream.baseURL });
  const bare = createProviderRegistry([{ model: '*', provider: anthropic }]).providerFor(MODEL);
  await expect(bare.reply(asked({}), { signal })).rejects.toThrow('nothing to scale pictures with');
  expect(upstream.seen).toEqual([]);
});

it("a stream hands on what needs no mapping as it comes, and a tool's broken JSON as it is", async () => {
  upstream.answer = reply([
    { type: 'text', text: 'I click at 3, 4 and look what happens.' },
    toolUse('toolu_1', 'other', { coordinate: [1, 1] }),
    toolUse('toolu_2', 'computer', click([0, 0])),
  ]);
  const request = asked({
    messages: [userSays('go')],
    tools: [computer(1920, 1080), { name: 'other', description: 'x', input_schema: { type: 'object' } }],
  });
  const plain: string[] = [];
  for await (const event of provider().stream({ ...request, context_care: {} }, { signal }))
    plain.push(JSON.stringify(event));
  const mapped: string[] = [];
  for await (const event of provider().stream(request, { signal })) mapped.push(JSON.stringify(event));
  const beforeThird = (events: string[]): string[] =>
    events.slice(
      0,
      events.findIndex((event) => event.includes('toolu_2')),
    );
  expect(beforeThird(mapped)).toEqual(beforeThird(plain));
  expect(beforeThird(mapped).length).toBeGreaterThan(8);
  const third = mapped.filter((event) => event.includes('"index":2'));
  expect(third).toHaveLength(3);
  expect(JSON.parse(third[1] ?? '')).toMatchObject({
    delta: { partial_json: JSON.stringify(click([0, 0])) },
  });
});
