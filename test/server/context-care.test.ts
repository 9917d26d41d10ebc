import { Anthropic } from '@anthropic-ai/sdk';
import { createPictureScaler } from '../../app/picture-scaler.ts';
import { createAnthropicProvider, createProviderRegistry, OMITTED_PICTURE } from '../../messages/index.ts';
import { image, picture, step } from '../messages/context/support.ts';
import { json, message, reply, startUpstream, toolUse } from '../support/anthropic-upstream.ts';
import { startServer, stopServers } from './harness.ts';
import { openedForAll } from '../support/opened.ts';

const upstream = openedForAll(startUpstream);
afterEach(async () => {
  await stopServers();
  upstream.reset();
});

async function client(): Promise<Anthropic> {
  const provider = createAnthropicProvider({ apiKey: 'upstream-key-0', baseURL: upstream.baseURL });
  const routes = [{ model: 'claude-*', provider }];
  const providers = createProviderRegistry(routes, { scaler: createPictureScaler() });
  const { url } = await startServer({ providers });
  return new Anthropic({ apiKey: 'any-key-will-do', baseURL: url, maxRetries: 0 });
}

const upstreamBody = (): string => JSON.stringify(upstream.seen.at(-1)?.body);
const count = (part: string): number => upstreamBody().split(part).length - 1;

/** A loop of 20241022 that has looked five times, asked of a model that takes another generation. */
async function loop(): Promise<Anthropic.Beta.MessageCreateParamsNonStreaming> {
  const shot = await picture(1920, 1080);
  const looks = Array.from({ length: 5 }, (_, n) =>
    step(`toolu_${n}`, { action: 'mouse_move', coordinate: [n, n] }, [image(shot)]),
  );
  return {
    model: 'claude-haiku-4-5',
    max_tokens: 100,
    betas: ['computer-use-2024-10-22'],
    system: 'Be brief.',
    tools: [
      { type: 'computer_20241022', name: 'computer', display_width_px: 1920, display_height_px: 1080 },
      { type: 'bash_20241022', name: 'bash' },
    ],
    messages: [{ role: 'user', content: 'go' }, ...looks.flat()] as never,
    // One field more than the client's types know.
    ...({ context_care: { keep_screenshots: 2, cache_breakpoints: 'auto', fit_images: true } } as object),
  };
}

it("an official client's loop of an old generation is cared for on the way to a model of a newer one", async () => {
  upstream.answer = reply([
    toolUse('toolu_new', 'computer', { action: 'left_click', coordinate: [728, 409] }),
  ]);
  const anthropic = await client();
  const params = await loop();
  const whole = await anthropic.beta.messages.create(params);
  const streamed = await anthropic.beta.messages.stream(params).finalMessage();
  expect(streamed.content).toEqual(whole.content);
  // The client's generation clicks where the pointer is, so that a click elsewhere is a move and a click.
  const moves = whole.content.flatMap((block) => (block.type === 'tool_use' ? [block.input] : []));
  expect(moves).toContainEqual({ action: 'mouse_move', coordinate: [960, 540] });
  expect(count('"type":"image"')).toBe(3);
  expect(count(OMITTED_PICTURE)).toBe(2);
  expect(count('"cache_control"')).toBe(4);
  expect(count('"display_width_px":1456,"display_height_px":819')).toBe(1);
  expect(count('context_care')).toBe(0);
});

it('what is counted is what would be sent', async () => {
  upstream.countTokens = json(200, { input_tokens: 7 });
  const anthropic = await client();
  const { max_tokens: _, ...params } = await loop();
  expect(await anthropic.beta.messages.countTokens(params as never)).toMatchObject({ input_tokens: 7 });
  expect(count('"type":"image"')).toBe(3);
  expect(count('context_care')).toBe(0);
});

it('a wish that there is not is refused by its path', async () => {
  upstream.answer = json(200, message('never'));
  const params = { ...(await loop()), context_care: { keep_screenshots: -1 } } as never;
  await expect((await client()).beta.messages.create(params)).rejects.toThrow(
    'context_care.keep_screenshots: Input should be greater than or equal to 1',
  );
  expect(upstream.seen).toEqual([]);
});
