import { assertAsyncProperty, fc } from '../../../support/fast-check.ts';
import { parseMessageRequest, type Message, type MessageParam } from '../../../../messages/index.ts';
import { COMPUTER_USE, TOOLS, userSays } from '../../support.ts';
import { answering, converse, lastText, replyTo, resultsFor, texts, uses, type Tool } from './conversing.ts';
import { fromUser } from '../../../support/blocks.ts';

/** One tool of everything, errors among its answers. */
const tool: Tool = (name, { command }) => ({
  content: `${name} did ${String(command)}\n[exit code 0]`,
  is_error: command === 'fail',
});

const step = fc.oneof(
  fc.constant('- bash: echo a'),
  fc.constant('- bash: fail\n  or_continue: true'),
  fc.constant('- bash: fail'),
  fc.constant('- bash: echo b\n- expect: 0'),
  fc.constant('- key: ctrl+s'),
  fc.constant('- expect: did\n  or_continue: true'),
  fc.constant('- expect: never'),
  fc.constant('- edit: {command: view, path: /a}'),
  fc.constant('- together: [{bash: x}, {say: both}, {type: y}]'),
  fc.constant('- say: so far so good'),
  fc.constant('- click: Save'),
);
const script = fc.array(step, { minLength: 1, maxLength: 12 }).map((steps) => steps.join('\n'));

it('gives the same reply, ids included, for every prefix of a conversation, however often it is asked', async () => {
  await assertAsyncProperty(40, script, async (source) => {
    const { replies, messages } = await converse(source, tool);
    for (const [index, reply] of replies.entries()) {
      const prefix = messages.slice(0, 2 * index + 1);
      expect(await replyTo(prefix)).toEqual(reply);
      const copy = JSON.parse(JSON.stringify(prefix)) as MessageParam[];
      expect(await replyTo(copy)).toEqual(reply);
    }
  });
});

it('never asks twice for the same thing: tool use ids are unique in a conversation', async () => {
  await assertAsyncProperty(20, fc.array(script, { minLength: 1, maxLength: 3 }), async (scripts) => {
    let messages: MessageParam[] = [];
    for (const source of scripts) {
      const run = await converse([...messages, userSays(source)], tool);
      messages = run.messages;
    }
    const ids = messages.flatMap(({ content }) =>
      typeof content === 'object'
        ? content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
        : [],
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^toolu_[0-9a-f]{24}$/);
    // What was said is a conversation that the API itself would take.
    expect(() =>
      parseMessageRequest(
        { model: 'script', max_tokens: 10, tools: TOOLS, messages: [...messages, userSays('- say: end')] },
        { betas: [COMPUTER_USE] },
      ),
    ).not.toThrow();
  });
});

it('does not mind in which form the messages come', async () => {
  const source = '- bash: echo a\n- expect: alpha\n- bash: echo b\n- say: done';
  const { messages, replies } = await converse(source, answering('alpha', 'beta'));
  const [, first, results, second] = messages as [MessageParam, MessageParam, MessageParam, MessageParam];
  const asBlocks: MessageParam = { role: 'user', content: [{ type: 'text', text: source }] };
  const withPicture: MessageParam = fromUser([
    { type: 'text', text: 'Please do this:' },
    { type: 'text', text: source, cache_control: { type: 'ephemeral' } },
  ]);
  const [use] = (first.content as { type: string }[]).filter(({ type }) => type === 'tool_use');
  const inBlocks: MessageParam = fromUser([
    {
      type: 'tool_result',
      tool_use_id: (use as unknown as { id: string }).id,
      content: [{ type: 'text', text: 'alpha' }],
    },
  ]);
  for (const opening of [userSays(source), asBlocks, withPicture]) {
    for (const answer of [results, inBlocks]) {
      const reply = await replyTo([opening, first, answer]);
      expect(uses(reply)).toEqual(uses(replies[1] as Message));
    }
  }
  expect(second.role).toBe('assistant');
});

it('begins anew with each new message of the user, with the conversation before it left alone', async () => {
  const first = await converse('- bash: echo a\n- say: one', tool);
  const second = await converse([...first.messages, userSays('- bash: echo b\n- say: two')], tool);
  expect(uses(second.replies[0] as Message)).toEqual([['bash', { command: 'echo b' }]]);
  expect(lastText(second)).toBe('two\nScript: finished, 2 of 2 steps.');
});

it('follows the newest of several messages of the user in one turn', async () => {
  const run = await converse([userSays('- bash: echo a'), userSays('- say: This instead.')], tool);
  expect(lastText(run)).toContain('This instead.');
});

describe('a turn that the user interrupted', () => {
  let soFar: MessageParam[] = [];
  let healed = userSays('') as MessageParam;

  beforeAll(async () => {
    const asking = await replyTo([userSays('- bash: sleep 100\n- bash: echo b')]);
    soFar = [
      userSays('- bash: sleep 100\n- bash: echo b'),
      { role: 'assistant', content: asking.content as MessageParam['content'] & unknown[] },
    ];
    healed = resultsFor(asking, () => ({
      content: 'human stopped or interrupted tool execution',
      is_error: true,
    }));
  });

  it('ends', async () => {
    const reply = await replyTo([...soFar, healed]);
    expect(reply.stop_reason).toBe('end_turn');
    expect(texts(reply).join()).toContain('human stopped or interrupted tool execution');
  });

  it('goes on with what the user wrote beside the healed result', async () => {
    const note = '(user stopped or interrupted and wrote the following)';
    const content = [
      ...(healed.content as never[]),
      { type: 'text' as const, text: note },
      { type: 'text' as const, text: '- bash: echo c' },
    ];
    const run = await converse([...soFar, { role: 'user', content }], tool);
    expect(uses(run.replies[0] as Message)).toEqual([['bash', { command: 'echo c' }]]);
    expect(lastText(run)).toContain('finished, 1 of 1');
    const noteAlone = { role: 'user' as const, content: content.slice(0, 2) };
    expect(texts(await replyTo([...soFar, noteAlone])).join()).toContain('step 1 of 2');
  });

  it('goes on after a later message', async () => {
    const run = await converse(
      [...soFar, healed, { role: 'assistant', content: 'Stopped.' }, userSays('- bash: echo d')],
      tool,
    );
    expect(uses(run.replies[0] as Message)).toEqual([['bash', { command: 'echo d' }]]);
  });
});

describe("a conversation that is not the script's", () => {
  const use = (id: string): object => ({ type: 'tool_use', id, name: 'bash', input: {} });
  const asks = (...ids: string[]): MessageParam => ({ role: 'assistant', content: ids.map(use) as never[] });
  const answers = (...ids: string[]): MessageParam =>
    fromUser(ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })));
  const reply = async (...messages: MessageParam[]): Promise<string> => texts(await replyTo(messages)).join();

  it('is noticed when a reply holds other tool uses than its step', async () => {
    const two = [asks('toolu_1', 'toolu_2'), answers('toolu_1', 'toolu_2')];
    expect(await reply(userSays('- bash: a\n- bash: b'), ...two)).toContain(
      'it has 2 tool uses where step 1 of 2',
    );
  });

  it('is noticed when it goes on behind the last step', async () => {
    const more = [asks('toolu_1'), answers('toolu_1'), asks('toolu_2'), answers('toolu_2')];
    expect(await reply(userSays('- bash: a'), ...more)).toContain('it has 1 more replies with tool uses');
  });

  it('is noticed when a use was never answered', async () => {
    expect(await reply(userSays('- bash: a'), asks('toolu_1'))).toContain('the tool was never answered');
  });

  it('counts neighbouring messages of the assistant as one reply', async () => {
    const system: MessageParam = { role: 'system', content: 'It is late.' };
    const split = [asks('toolu_1'), system, asks('toolu_2'), answers('toolu_1', 'toolu_2')];
    expect(await reply(userSays('- together: [{bash: a}, {bash: b}]'), ...split)).toContain('finished');
  });

  it('has nothing to run when the user wrote nothing', async () => {
    const picture = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } } as const;
    expect(await reply({ role: 'user', content: [picture] })).toContain('There is no text to run.');
  });
});
