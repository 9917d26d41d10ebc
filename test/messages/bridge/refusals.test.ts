import type { MessageParam } from '../../../messages/api/api-types.ts';
import { MOST_REASKS, NOT_EXECUTED } from '../../../messages/bridge/ask-again.ts';
import { withBridge } from '../../../messages/bridge/bridge.ts';
import { collectMessage } from '../../../messages/stream/collect-message.ts';
import type { ComputerGeneration, ToolGenerations } from '../../../messages/tools/generations.ts';
import {
  blocksOf,
  computerTool,
  computerUse,
  eventsIn,
  messageOf,
  modelOf,
  OF_2024,
  OF_TODAY,
  options,
  requestOf,
  taking,
  USAGE,
  type Said,
} from './support.ts';
import { toolUse, fromModel, fromUser } from '../../support/blocks.ts';

const done: Said = { type: 'text', text: 'Done.', citations: null };
const bash: Said = { type: 'tool_use', id: 'toolu_b', name: 'bash', input: { command: 'ls' } };
const editor = (input: object): Said => toolUse('toolu_e', 'str_replace_based_edit_tool', input);

interface Case {
  readonly upstream: ToolGenerations;
  readonly client: ToolGenerations;
  readonly use: Said;
  readonly reason: string;
}

function use(generation: ComputerGeneration, name: string, input: object = {}): Said {
  return computerUse(generation, 'toolu_no', name, { ...input });
}

const toolset = (name: string, input: object = {}): Said => use('computer_toolset_20260801', name, input);
const of2024 = (name: string, input: object, reason: string): Case => ({
  upstream: OF_TODAY,
  client: OF_2024,
  use: toolset(name, input),
  reason,
});

const CASES: readonly Case[] = [
  of2024(
    'scroll',
    { scroll_direction: 'down', scroll_amount: 3 },
    'there is no action scroll here; press Page_Down, Page_Up or the arrow keys instead',
  ),
  of2024('zoom', { region: [0, 0, 9, 9] }, 'there is no action zoom here; take a screenshot instead'),
  of2024(
    'wait',
    { duration: 1 },
    'there is no action wait here; take a screenshot, which takes a moment too instead',
  ),
  of2024(
    'hold_key',
    { text: 'a', duration: 1 },
    'there is no action hold_key here; press the key with key instead',
  ),
  of2024('triple_click', {}, 'there is no action triple_click here; double-click'),
  of2024('left_mouse_down', {}, 'there is no action left_mouse_down here; use left_click_drag instead'),
  of2024('left_mouse_up', {}, 'there is no action left_mouse_up here; use left_click_drag instead'),
  of2024(
    'left_click',
    { coordinate: [1, 2], text: 'ctrl' },
    'keys cannot be held during a click here ("ctrl"); do it without',
  ),
  of2024(
    'left_click_drag',
    { start_coordinate: [1, 2], coordinate: [3, 4], text: 'shift' },
    'keys cannot be held during left_click_drag here ("shift"); do it without',
  ),
  {
    upstream: OF_TODAY,
    client: taking('computer_20250124'),
    use: toolset('zoom', { region: [0, 0, 9, 9] }),
    reason: 'there is no action zoom here',
  },
  {
    upstream: OF_TODAY,
    client: taking('computer_20250124'),
    use: toolset('hold_key', { text: 'a', duration: 101 }),
    reason: 'hold_key lasts at most 100 seconds here, not 101',
  },
  {
    upstream: OF_TODAY,
    client: taking('computer_20251124'),
    use: toolset('left_click_drag', { start_coordinate: [1, 2], coordinate: [3, 4], text: 'ctrl' }),
    reason: 'keys cannot be held during left_click_drag here',
  },
  {
    upstream: taking('computer_20250124'),
    client: OF_TODAY,
    use: use('computer_20250124', 'hold_key', { text: 'a b', duration: 1 }),
    reason: 'hold_key holds one combination here, not 2; join the keys by +',
  },
  // Input that means nothing to the model's own tool, and would mean something to the client's.
  {
    upstream: OF_2024,
    client: taking('computer_20250124'),
    use: use('computer_20241022', 'left_click', { coordinate: [1, 2] }),
    reason: 'coordinate is not accepted for left_click',
  },
  {
    upstream: taking('computer_20250124'),
    client: OF_TODAY,
    use: use('computer_20250124', 'wait', { duration: 200 }),
    reason: 'duration=200 is too long.',
  },
  {
    upstream: taking('computer_20250124'),
    client: OF_TODAY,
    use: use('computer_20250124', 'fly'),
    reason: 'Invalid action: fly',
  },
  {
    upstream: taking('computer_20250124'),
    client: OF_TODAY,
    use: { type: 'tool_use', id: 'toolu_no', name: 'computer', input: { INVALID_JSON: '{"action": "left' } },
    reason: 'Invalid action: ',
  },
  {
    upstream: OF_TODAY,
    client: { ...OF_TODAY, editor: 'text_editor_20250429' },
    use: { ...editor({ command: 'undo_edit', path: '/a' }), id: 'toolu_no' },
    reason:
      'Unrecognized command undo_edit. The allowed commands for the str_replace_based_edit_tool tool are: view',
  },
  {
    upstream: OF_2024,
    client: OF_TODAY,
    use: toolUse('toolu_no', 'str_replace_editor', { command: 'undo_edit', path: '/a' }),
    reason: 'there is no command undo_edit here; bring the old text back with str_replace',
  },
  // The client's name for its tool is not the model's.
  {
    upstream: OF_TODAY,
    client: OF_2024,
    use: toolUse('toolu_no', 'str_replace_editor', { command: 'view', path: '/' }),
    reason: 'Tool str_replace_editor is invalid',
  },
];

describe.each(CASES)(
  '$upstream.computer to $client.computer: $reason',
  ({ upstream, client, use: refused, reason }) => {
    it('is told to the model, which is asked again; the client sees nothing of it', async () => {
      const model = modelOf(messageOf([refused]), messageOf([done]));
      const provider = withBridge(model, upstream);
      const reply = await provider.reply(requestOf(client), options);
      expect(reply.content).toEqual([done]);
      expect(reply.stop_reason).toBe('end_turn');
      expect(model.asked).toHaveLength(2);
      const [, assistant, answer] = model.asked[1]?.messages ?? [];
      expect(assistant).toEqual({ role: 'assistant', content: [refused] });
      expect(blocksOf(answer)).toEqual([
        {
          type: 'tool_result',
          tool_use_id: 'toolu_no',
          content: expect.stringContaining(reason) as string,
          is_error: true,
          ...('toolset_name' in refused ? { toolset_name: 'computer' } : {}),
        },
      ]);

      const streaming = modelOf(messageOf([refused]), messageOf([done]));
      const events = await eventsIn(withBridge(streaming, upstream).stream(requestOf(client), options));
      expect(await collectMessage(events)).toEqual(reply);
      expect(streaming.asked).toEqual(model.asked);
    });
  },
);

describe('members that a toolset client has switched off', () => {
  it('are refused, also where another action needs them', async () => {
    const tools = [
      computerTool('computer_toolset_20260801', {
        configs: { left_mouse_down: { enabled: false }, scroll: { enabled: false } },
      }),
    ];
    const model = modelOf(
      messageOf([use('computer_20241022', 'left_click_drag', { coordinate: [5, 6] })]),
      messageOf([done]),
    );
    await withBridge(model, OF_2024).reply(requestOf(OF_TODAY, undefined, { tools }), options);
    expect(JSON.stringify(model.asked[1]?.messages)).toContain(
      'left_click_drag needs left_mouse_down, which is not there',
    );
  });
});

describe('a client that takes one tool use at a time', () => {
  it('never gets the parts of one action together', async () => {
    const click = toolset('left_click', { coordinate: [1, 2] });
    const model = modelOf(messageOf([click]), messageOf([toolset('mouse_move', { coordinate: [1, 2] })]));
    const request = requestOf(OF_2024, undefined, {
      tool_choice: { type: 'auto', disable_parallel_tool_use: true },
    });
    const reply = await withBridge(model, OF_TODAY).reply(request, options);
    expect(reply.content).toEqual([
      toolUse('toolu_no', 'computer', { action: 'mouse_move', coordinate: [1, 2] }),
    ]);
    expect(JSON.stringify(model.asked[1]?.messages)).toContain(
      'ask for mouse_move, then left_click, each by itself',
    );
  });
});

describe('input that is wrong for both tools', () => {
  it.each<[ToolGenerations, ToolGenerations, Said, object]>([
    [OF_TODAY, OF_2024, toolset('type', {}), { name: 'computer', input: { action: 'type' } }],
    [
      OF_TODAY,
      OF_2024,
      toolset('type', { text: 7 }),
      { name: 'computer', input: { action: 'type', text: 7 } },
    ],
    [
      OF_TODAY,
      OF_2024,
      toolset('key', { action: 'left_click' }),
      { name: 'computer', input: { action: 'key' } },
    ],
    [
      OF_TODAY,
      taking('computer_20250124'),
      toolset('left_click', { coordinate: [1.5, 2] }),
      { name: 'computer', input: { action: 'left_click', coordinate: [1.5, 2] } },
    ],
    [
      taking('computer_20250124'),
      OF_TODAY,
      use('computer_20250124', 'mouse_move', { coordinate: 'there' }),
      { name: 'mouse_move', input: { coordinate: 'there' }, toolset_name: 'computer' },
    ],
    [
      OF_TODAY,
      OF_2024,
      toolset('left_click', { INVALID_JSON: '{"coord' }),
      { name: 'computer', input: { INVALID_JSON: '{"coord' } },
    ],
    [OF_TODAY, OF_2024, editor({ command: 'create', path: '/a' }), { name: 'str_replace_editor' }],
    [
      OF_TODAY,
      OF_2024,
      editor({ INVALID_JSON: '{' }),
      { name: 'str_replace_editor', input: { INVALID_JSON: '{' } },
    ],
  ])(
    'goes to the client as it is, whose tool has its own words for it',
    async (upstream, client, said, expected) => {
      const model = modelOf(messageOf([said]));
      const reply = await withBridge(model, upstream).reply(requestOf(client), options);
      expect(model.asked).toHaveLength(1);
      expect(reply.content).toEqual([
        expect.objectContaining({ type: 'tool_use', id: said['id'], ...expected }),
      ]);
    },
  );
});

describe('a reply of which one use is refused', () => {
  const scroll = toolset('scroll', { scroll_direction: 'up', scroll_amount: 1 });
  const first = computerUse('computer_toolset_20260801', 'toolu_1', 'key', { text: 'a' });
  const third = computerUse('computer_toolset_20260801', 'toolu_3', 'type', { text: 'b' });

  it('ends before it: the uses before are done, those behind are left for later', async () => {
    const model = modelOf(messageOf([done, first, bash, scroll, third]));
    const provider = withBridge(model, OF_TODAY);
    const reply = await provider.reply(requestOf(OF_2024), options);
    expect(model.asked).toHaveLength(1);
    expect(reply.stop_reason).toBe('tool_use');
    expect(reply.content.map((block) => ('id' in block ? block.id : block.type))).toEqual([
      'text',
      'toolu_1',
      'toolu_b',
    ]);
    expect(await collectMessage(await eventsIn(provider.stream(requestOf(OF_2024), options)))).toEqual(reply);
  });

  it('is answered here when it comes first, and the uses behind it are told that they were not done', async () => {
    const model = modelOf(messageOf([scroll, third, bash]), messageOf([first]));
    const reply = await withBridge(model, OF_TODAY).reply(requestOf(OF_2024), options);
    expect(reply.content).toHaveLength(1);
    const answers = blocksOf(model.asked[1]?.messages.at(-1));
    expect(answers).toEqual([
      expect.objectContaining({ tool_use_id: 'toolu_no', is_error: true }),
      {
        type: 'tool_result',
        tool_use_id: 'toolu_3',
        content: NOT_EXECUTED,
        is_error: true,
        toolset_name: 'computer',
      },
      { type: 'tool_result', tool_use_id: 'toolu_b', content: NOT_EXECUTED, is_error: true },
    ]);
  });

  it('adds up what all the asking cost, and keeps the id and the texts of the first reply', async () => {
    const thought = (text: string): Said => ({ type: 'thinking', thinking: text, signature: 'c2ln' });
    const replies = [
      messageOf([thought('one'), { type: 'text', text: 'I scroll.', citations: null }, scroll], {
        id: 'msg_1',
      }),
      messageOf([thought('two'), { type: 'text', text: 'I press a key.', citations: null }, first], {
        id: 'msg_2',
      }),
    ];
    const model = modelOf(...replies);
    const reply = await withBridge(model, OF_TODAY).reply(requestOf(OF_2024), { ...options, id: 'msg_own' });
    expect(reply.id).toBe('msg_1');
    // The second thought belongs to a conversation that the client does not have.
    expect(reply.content.map(({ type }) => type)).toEqual(['thinking', 'text', 'text', 'tool_use']);
    expect(reply.usage).toEqual({
      ...USAGE,
      input_tokens: 200,
      output_tokens: 20,
      cache_creation_input_tokens: 6,
      cache_read_input_tokens: 100,
      cache_creation: { ephemeral_1h_input_tokens: 2, ephemeral_5m_input_tokens: 4 },
    });
    expect(model.askedWith.map(({ id }) => id)).toEqual(['msg_own', 'msg_ownr1']);

    const events = await eventsIn(
      withBridge(modelOf(...replies), OF_TODAY).stream(requestOf(OF_2024), options),
    );
    const streamed = await collectMessage(events);
    expect(streamed.content).toEqual(reply.content);
    expect(streamed.usage).toMatchObject({
      input_tokens: 200,
      output_tokens: 20,
      cache_creation_input_tokens: 6,
      cache_read_input_tokens: 100,
    });
    expect(events.filter(({ type }) => type === 'message_start')).toHaveLength(1);
  });

  it('ends the turn with a text when the model does not let go', async () => {
    const model = modelOf(messageOf([scroll]));
    const provider = withBridge(model, OF_TODAY);
    const reply = await provider.reply(requestOf(OF_2024), options);
    expect(model.asked).toHaveLength(MOST_REASKS + 1);
    expect(reply.stop_reason).toBe('end_turn');
    expect(reply.content).toEqual([
      {
        type: 'text',
        text: expect.stringMatching(
          /was told so 3 times and asked again: there is no action scroll here/,
        ) as string,
        citations: null,
      },
    ]);
    expect(reply.usage.output_tokens).toBe(USAGE.output_tokens * (MOST_REASKS + 1));
    const streamed = await collectMessage(await eventsIn(provider.stream(requestOf(OF_2024), options)));
    expect(streamed.content).toEqual(reply.content);
    expect(streamed.stop_reason).toBe('end_turn');
    expect(streamed.usage.output_tokens).toBe(reply.usage.output_tokens);
  });

  it('that was cut off is not asked again, and half a use is none', async () => {
    for (const said of [scroll, toolset('left_click', {})]) {
      const model = modelOf(messageOf([done, said], { stop_reason: 'max_tokens' }));
      const reply = await withBridge(model, OF_TODAY).reply(requestOf(OF_2024), options);
      expect(model.asked).toHaveLength(1);
      expect(reply.content).toEqual([done]);
      expect(reply.stop_reason).toBe('max_tokens');
    }
  });
});

describe('the record of a conversation', () => {
  it('holds what the model could not have asked for as it was, paired with its results', async () => {
    const model = modelOf(messageOf([done]));
    const used: MessageParam[] = [
      { role: 'user', content: 'Go.' },
      fromModel([
        use('computer_20250124', 'scroll', { scroll_direction: 'up', scroll_amount: 1 }),
        { ...use('computer_20250124', 'fly'), id: 'toolu_fly' },
      ] as never),
      fromUser([
        { type: 'tool_result', tool_use_id: 'toolu_no', content: 'Scrolled.' },
        { type: 'tool_result', tool_use_id: 'toolu_fly', content: 'Invalid action: fly', is_error: true },
      ]),
    ];
    await withBridge(model, OF_2024).reply(requestOf(taking('computer_20250124'), used), options);
    expect(model.asked[0]?.messages).toEqual(used);

    await withBridge(model, OF_TODAY).reply(requestOf(taking('computer_20250124'), used), options);
    const [, assistant, answer] = model.asked[1]?.messages ?? [];
    expect(blocksOf(assistant)).toEqual([
      {
        type: 'tool_use',
        id: 'toolu_no',
        name: 'scroll',
        input: { scroll_direction: 'up', scroll_amount: 1 },
        toolset_name: 'computer',
      },
      { type: 'tool_use', id: 'toolu_fly', name: 'computer', input: { action: 'fly' } },
    ]);
    expect(blocksOf(answer)).toEqual([
      { type: 'tool_result', tool_use_id: 'toolu_no', content: 'Scrolled.', toolset_name: 'computer' },
      { type: 'tool_result', tool_use_id: 'toolu_fly', content: 'Invalid action: fly', is_error: true },
    ]);
  });
});
