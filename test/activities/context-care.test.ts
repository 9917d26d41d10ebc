import { requestModel } from '../../activities/request-model.ts';
import { createAnthropicProvider, createProviderRegistry, OMITTED_PICTURE } from '../../messages/index.ts';
import { append, replyEvents, toolResult } from '../../sessions/index.ts';
import { image, picture } from '../messages/context/support.ts';
import { startUpstream } from '../support/anthropic-upstream.ts';
import { inActivity, message, openBench } from './support.ts';
import { openedForAll } from '../support/opened.ts';
import { appendTo } from '../sessions/append-to.ts';

const bench = openedForAll(openBench);
const upstream = openedForAll(startUpstream);
afterEach(() => upstream.reset());

const SHOTS = 25;
const computer = { type: 'computer_20241022', name: 'computer', display_width_px: 64, display_height_px: 48 };

/** A session in which the model has looked at the screen again and again, and is to be asked next. */
async function afterManyLooks(contextCare?: object): Promise<string> {
  const agent = await bench.sessions.agents.create({
    name: 'a',
    model: 'claude-local',
    system: 'Be brief.',
    tools: [computer],
    ...(contextCare === undefined ? {} : { context_care: contextCare }),
  });
  const { id: session } = await bench.sessions.create({ agent: agent.id });
  let cursor = await bench.user(session, message('look'));
  const data = await picture(64, 48);
  for (let n = 0; n < SHOTS; n++) {
    const content = [
      { type: 'tool_use', id: `toolu_${n}`, name: 'computer', input: { action: 'screenshot' } },
    ];
    const said = replyEvents({ id: `msg_${n}`, content } as never, cursor, agent.tools);
    const { events } = await append(bench.store, { session, key: `reply/${n}`, events: said });
    const use = events[0]?.id ?? '';
    const shown = { content: [image(data)], is_error: false } as const;
    const result = await appendTo(bench.store, session, `result/${n}`, [toolResult(use, shown) as never]);
    cursor = result.events.at(-1)?.seq ?? 0;
  }
  return session;
}

/** What the upstream was asked, by the activity itself. */
async function asked(session: string): Promise<string> {
  const provider = createAnthropicProvider({ apiKey: 'test-key-0', baseURL: upstream.baseURL });
  const providers = createProviderRegistry([{ model: 'claude-*', provider }]);
  const outcome = await inActivity(() =>
    requestModel({ ...bench.deps, providers })(
      { session, epoch: 0, generation: 1, turns: 0, waits: 0, faults: 0, pauses: 0 },
      { step: 1 },
    ),
  );
  expect(outcome).toEqual({ type: 'end' });
  return JSON.stringify(upstream.seen[0]?.body);
}

const count = (text: string, part: string): number => text.split(part).length - 1;

it.each([
  ['an agent that says nothing', undefined, 15],
  ['one that wants three', { keep_screenshots: 3 }, 4],
  ['one that wants them all', { keep_screenshots: null }, SHOTS],
])('%s: of 25 screenshots the model sees %#', async (_who, care, left) => {
  const body = await asked(await afterManyLooks(care));
  expect(count(body, '"type":"image"')).toBe(left);
  expect(count(body, OMITTED_PICTURE)).toBe(SHOTS - left);
  expect(body).not.toContain('context_care');
});

it('breakpoints are placed where the agent asks for them', async () => {
  const body = await asked(await afterManyLooks({ cache_breakpoints: 'auto' }));
  expect(count(body, '"cache_control":{"type":"ephemeral"}')).toBe(4);
  upstream.reset();
  expect(count(await asked(await afterManyLooks()), 'cache_control')).toBe(0);
});
