import { assertProperty, fc } from '../../support/fast-check.ts';
import { withBreakpoints } from '../../../messages/context/cache-breakpoints.ts';
import { parseMessageRequest, type ModelRequest } from '../../../messages/index.ts';
import { modelRequest, TOOLS, userSays } from '../support.ts';
import { image, step } from './support.ts';
import { fromUser } from '../../support/blocks.ts';

const EPHEMERAL = { type: 'ephemeral' } as const;
const said = (text: string): { role: 'assistant'; content: string } => ({ role: 'assistant', content: text });

const places = (request: ModelRequest): string[] => {
  const found: string[] = [];
  const walk = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('cache_control' in value && value.cache_control != null) found.push(path);
    for (const [key, inner] of Object.entries(value))
      if (key !== 'cache_control') walk(inner, `${path}.${key}`);
  };
  walk(request.tools, 'tools');
  walk(request.system, 'system');
  walk(request.messages, 'messages');
  return found;
};

it('marks the system prompt and the last block of the newest three user turns', () => {
  const request = modelRequest({
    system: 'Be brief.',
    messages: [
      userSays('one'),
      said('1'),
      userSays('two'),
      said('2'),
      userSays('three'),
      said('3'),
      userSays('four'),
    ],
  });
  const marked = withBreakpoints(request);
  expect(places(marked)).toEqual([
    'system.0',
    'messages.2.content.0',
    'messages.4.content.0',
    'messages.6.content.0',
  ]);
  expect(marked.system).toEqual([{ type: 'text', text: 'Be brief.', cache_control: EPHEMERAL }]);
  expect(marked.messages[6]).toEqual(fromUser([{ type: 'text', text: 'four', cache_control: EPHEMERAL }]));
});

it('marks the last tool where there is no system prompt, and tool results as a whole', () => {
  const marked = withBreakpoints(
    modelRequest({ messages: [userSays('go'), ...step('t', {}, [image('shot')])] }),
  );
  expect(places(marked)).toEqual([
    `tools.${TOOLS.length - 1}`,
    'messages.0.content.0',
    'messages.2.content.0',
  ]);
});

it('marks no tool that is loaded only when it is looked for', () => {
  const messages = [userSays('one')];
  const toolset = { type: 'computer_toolset_20260801', configs: { key: { defer_loading: true } } } as const;
  const deferred = { ...TOOLS[0], defer_loading: true } as (typeof TOOLS)[number];
  expect(places(withBreakpoints(modelRequest({ tools: [...TOOLS, deferred, toolset], messages })))).toEqual([
    `tools.${TOOLS.length - 1}`,
    'messages.0.content.0',
  ]);
  expect(places(withBreakpoints(modelRequest({ tools: [deferred, toolset], messages })))).toEqual([
    'messages.0.content.0',
  ]);
});

it("keeps the client's own breakpoints and places only as many as there is room for", () => {
  const own = { type: 'text', text: 'x', cache_control: EPHEMERAL } as const;
  const request = modelRequest({
    system: [own],
    messages: [
      { role: 'user', content: [own, own] },
      said('1'),
      userSays('two'),
      said('2'),
      userSays('three'),
    ],
  });
  expect(places(withBreakpoints(request))).toEqual([
    'system.0',
    'messages.0.content.0',
    'messages.0.content.1',
    'messages.4.content.0',
  ]);
  const full = { ...request, cache_control: EPHEMERAL } as ModelRequest;
  expect(withBreakpoints(full)).toBe(full);
});

it('places none of five minutes before one of an hour', () => {
  const hour = { type: 'ephemeral', ttl: '1h' } as const;
  const request = modelRequest({
    system: 'Be brief.',
    messages: [
      userSays('one'),
      said('1'),
      { role: 'user', content: [{ type: 'text', text: 'two', cache_control: hour }] },
      said('2'),
      userSays('three'),
    ],
  });
  const { system, messages } = withBreakpoints(request);
  expect(system).toEqual([{ type: 'text', text: 'Be brief.', cache_control: hour }]);
  expect(messages[0]?.content).toEqual([{ type: 'text', text: 'one', cache_control: hour }]);
  expect(messages[4]?.content).toEqual([{ type: 'text', text: 'three', cache_control: EPHEMERAL }]);
});

it('what it makes is always a request that the API takes, and says the same', () => {
  const ttl = fc.constantFrom(undefined, '5m', '1h');
  const text = fc.record({ text: fc.constantFrom('a', 'b'), mark: fc.boolean() });
  const turns = fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 });
  let placed = 0;
  assertProperty(100, turns, fc.array(text, { maxLength: 2 }), ttl, (drawn, system, life) => {
    const control = { type: 'ephemeral', ...(life === undefined ? {} : { ttl: life }) };
    let marks = 0;
    const block = ({ text: words, mark }: { text: string; mark: boolean }): object => ({
      type: 'text',
      text: words,
      ...(mark && marks++ < 4 ? { cache_control: control } : {}),
    });
    const body = {
      model: 'm',
      max_tokens: 1,
      ...(system.length === 0 ? {} : { system: system.map(block) }),
      messages: drawn.flatMap((blocks, index) => [
        ...(index === 0 ? [] : [{ role: 'assistant', content: 'and' }]),
        { role: 'user', content: blocks.map(block) },
      ]),
    };
    const request = parseMessageRequest(body, { betas: [] });
    const marked = withBreakpoints(request);
    const { messages, system: told } = marked;
    parseMessageRequest(
      { ...body, messages, ...(told === undefined ? {} : { system: told }) },
      { betas: [] },
    );
    const bare = (value: unknown): string =>
      JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner));
    expect(bare(marked)).toBe(bare(request));
    expect(places(marked)).toEqual(expect.arrayContaining(places(request)));
    placed += places(marked).length - places(request).length;
  });
  expect(placed).toBeGreaterThan(0);
});
