import { assertAsyncProperty, assertProperty, fc } from '../../support/fast-check.ts';
import { COMPUTER_FORMS } from '../../../messages/actions/computer-forms.ts';
import { encodeComputer } from '../../../messages/actions/encode-computer.ts';
import type {
  ContentBlockParam,
  MessageParam,
  ToolParam,
  ToolResultBlockParam,
} from '../../../messages/api/api-types.ts';
import { NOT_EXECUTED } from '../../../messages/bridge/ask-again.ts';
import { withBridge } from '../../../messages/bridge/bridge.ts';
import { partIds, partOf } from '../../../messages/bridge/part-ids.ts';
import type { ToolGenerations } from '../../../messages/tools/generations.ts';
import { action, PAIRS } from '../actions/arbitrary.ts';
import {
  blocksOf,
  computerUse,
  editorTool,
  messageOf,
  modelOf,
  OF_2024,
  OF_TODAY,
  options,
  requestOf,
  taking,
  type Said,
} from './support.ts';
import { fromModel } from '../../support/blocks.ts';

const image = (data: string): ContentBlockParam & { type: 'image' } => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
});
const text = (words: string): { type: 'text'; text: string } => ({ type: 'text', text: words });
const result = (
  id: string,
  content: ToolResultBlockParam['content'],
  change: object = {},
): ToolResultBlockParam => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(content === undefined ? {} : { content }),
  ...change,
});

/** What the model reads of a conversation of a client's. */
async function read(
  upstream: ToolGenerations,
  client: ToolGenerations,
  uses: readonly Said[],
  ...answers: readonly ContentBlockParam[][]
): Promise<readonly MessageParam[]> {
  const model = modelOf(messageOf([]));
  const messages: MessageParam[] = [
    { role: 'user', content: 'Go.' },
    { role: 'assistant', content: uses as unknown as ContentBlockParam[] },
    ...answers.map((content): MessageParam => ({ role: 'user', content })),
  ];
  await withBridge(model, upstream).reply(requestOf(client, messages), options);
  return model.asked[0]?.messages.slice(1) ?? [];
}

const of2024 = (id: string, name: string, input: object = {}): Said =>
  computerUse('computer_20241022', id, name, { ...input });
const parts = [
  of2024('toolu_1__part1of2', 'mouse_move', { coordinate: [9, 8] }),
  of2024('toolu_1__part2of2', 'left_click'),
];
const joined = (content: unknown, change: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: 'toolu_1',
  toolset_name: 'computer',
  content,
  ...change,
});

describe('results of the parts of one action', () => {
  const both = (
    first: ToolResultBlockParam,
    second: ToolResultBlockParam,
  ): Promise<readonly MessageParam[]> => read(OF_TODAY, OF_2024, parts, [first, second]);

  it('are one: the texts of both, the picture of the last', async () => {
    const [assistant, answer] = await both(
      result('toolu_1__part1of2', [text('moved'), image('AAAA')], { is_error: false }),
      result('toolu_1__part2of2', [text('clicked'), image('BBBB')], { is_error: false }),
    );
    expect(blocksOf(assistant)).toEqual([
      {
        type: 'tool_use',
        id: 'toolu_1',
        name: 'left_click',
        input: { coordinate: [9, 8] },
        toolset_name: 'computer',
      },
    ]);
    expect(blocksOf(answer)).toEqual([
      joined([text('moved'), text('clicked'), image('BBBB')], { is_error: false }),
    ]);
  });

  it('keep the picture of the first when the last has none, in whatever order they come', async () => {
    const [, answer] = await both(
      result('toolu_1__part2of2', 'clicked'),
      result('toolu_1__part1of2', [image('AAAA')]),
    );
    expect(blocksOf(answer)).toEqual([joined([image('AAAA'), text('clicked')])]);
  });

  it('say which part failed, and that the client went on all the same', async () => {
    const [, answer] = await both(
      result('toolu_1__part1of2', 'Coordinates 9, 8 are out of bounds', { is_error: true }),
      result('toolu_1__part2of2', [image('BBBB')]),
    );
    expect(blocksOf(answer)).toEqual([
      joined(
        [
          text(
            'mouse_move failed: Coordinates 9, 8 are out of bounds.\nleft_click was carried out all the same.',
          ),
        ],
        { is_error: true },
      ),
    ]);
    const [, second] = await both(
      result('toolu_1__part1of2', [text('moved'), image('AAAA')]),
      result('toolu_1__part2of2', [], { is_error: true }),
    );
    expect(blocksOf(second)).toEqual([
      joined([text('mouse_move was carried out: moved.\nleft_click failed: no reason was given.')], {
        is_error: true,
      }),
    ]);
  });

  it('may stand in two messages of one turn', async () => {
    const messages = await read(
      OF_TODAY,
      OF_2024,
      parts,
      [result('toolu_1__part1of2', 'moved')],
      [result('toolu_1__part2of2', 'clicked')],
      [{ type: 'text', text: 'And then?' }],
    );
    expect(messages.slice(1)).toEqual([
      { role: 'user', content: [joined([text('moved'), text('clicked')])] },
      { role: 'user', content: [text('And then?')] },
    ]);
  });

  it('carry the cache breakpoint of any of them, once', async () => {
    const cache = { cache_control: { type: 'ephemeral' } } as const;
    const used = parts.map((part) => ({ ...part, ...cache }));
    const [assistant, answer] = await read(OF_TODAY, OF_2024, used, [
      result('toolu_1__part1of2', 'moved', cache),
      result('toolu_1__part2of2', 'clicked'),
    ]);
    expect(blocksOf(assistant)).toEqual([expect.objectContaining(cache)]);
    expect(blocksOf(answer)).toEqual([joined([text('moved'), text('clicked')], cache)]);
  });

  it('stand alone where a part is gone, or was changed', async () => {
    const [second] = parts.slice(1);
    if (second === undefined) throw new Error('no second part');
    const [pruned, answer] = await read(
      OF_TODAY,
      OF_2024,
      [second],
      [result('toolu_1__part2of2', 'clicked')],
    );
    expect(blocksOf(pruned)).toEqual([
      { type: 'tool_use', id: 'toolu_1__part2of2', name: 'left_click', input: {}, toolset_name: 'computer' },
    ]);
    expect(blocksOf(answer)).toEqual([joined('clicked', { tool_use_id: 'toolu_1__part2of2' })]);
    const changed = [of2024('toolu_1__part1of2', 'screenshot'), second];
    const [assistant] = await read(OF_TODAY, OF_2024, changed, [
      result('toolu_1__part1of2', 'seen'),
      result('toolu_1__part2of2', 'clicked'),
    ]);
    expect(blocksOf(assistant).map((block) => (block as { name: string }).name)).toEqual([
      'screenshot',
      'left_click',
    ]);
  });
});

describe('results of one action', () => {
  it('tell a position in one form', async () => {
    const cursor = computerUse('computer_toolset_20260801', 'toolu_1', 'cursor_position');
    const [assistant, answer] = await read(
      OF_2024,
      OF_TODAY,
      [cursor],
      [result('toolu_1', [text('X=512, Y=384')], { toolset_name: 'computer' })],
    );
    expect(blocksOf(assistant)).toEqual([of2024('toolu_1', 'cursor_position')]);
    expect(blocksOf(answer)).toEqual([result('toolu_1', [text('X=512,Y=384')])]);
  });

  it('of a batch that a toolset client broke off say so to an old model', async () => {
    const uses = ['toolu_1', 'toolu_2'].map((id) =>
      computerUse('computer_toolset_20260801', id, 'left_click'),
    );
    const set = { toolset_name: 'computer', is_error: true };
    const [, answer] = await read(OF_2024, OF_TODAY, uses, [
      result('toolu_1', 'It moved away', set),
      result('toolu_2', NOT_EXECUTED, set),
    ]);
    expect(blocksOf(answer)).toEqual([
      result('toolu_1', 'It moved away', { is_error: true }),
      result('toolu_2', NOT_EXECUTED, { is_error: true }),
    ]);
  });

  it('that is several upstream go to the last of them; a failure is all of theirs', async () => {
    const drag = of2024('toolu_1', 'left_click_drag', { coordinate: [5, 6] });
    const cache = { cache_control: { type: 'ephemeral' } };
    const [assistant, answer] = await read(
      OF_TODAY,
      OF_2024,
      [{ ...drag, ...cache }],
      [result('toolu_1', [text('dragged')], { is_error: false, ...cache })],
    );
    expect(blocksOf(assistant)).toEqual(
      ['left_mouse_down', 'mouse_move', 'left_mouse_up'].map((name, index) => ({
        type: 'tool_use',
        id: `toolu_1__part${index + 1}of3`,
        name,
        input: name === 'mouse_move' ? { coordinate: [5, 6] } : {},
        toolset_name: 'computer',
        ...(index === 2 ? cache : {}),
      })),
    );
    const own = { type: 'tool_result', toolset_name: 'computer', is_error: false };
    expect(blocksOf(answer)).toEqual([
      { ...own, tool_use_id: 'toolu_1__part1of3' },
      { ...own, tool_use_id: 'toolu_1__part2of3' },
      { ...own, tool_use_id: 'toolu_1__part3of3', content: [text('dragged')], ...cache },
    ]);
    const [, failed] = await read(
      OF_TODAY,
      OF_2024,
      [drag],
      [result('toolu_1', 'out of bounds', { is_error: true })],
    );
    expect(blocksOf(failed).map((block) => (block as ToolResultBlockParam).content)).toEqual([
      'out of bounds',
      'out of bounds',
      'out of bounds',
    ]);
  });

  it('of the toolset hold text and images alone', async () => {
    const document = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'x' },
    } as const;
    await expect(
      read(OF_TODAY, OF_2024, [of2024('toolu_1', 'screenshot')], [result('toolu_1', [document])]),
    ).rejects.toThrow(
      'messages.2.content.0: the model takes computer_toolset_20260801, whose results hold text and images alone, not document',
    );
  });

  it('of other tools, and what stands between, stay the same objects', async () => {
    const model = modelOf(messageOf([]));
    const kept: MessageParam[] = [
      { role: 'user', content: 'Go.' },
      fromModel([
        { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
        { type: 'tool_use', id: 'toolu_1__part1of2', name: 'bash', input: { command: 'ls' } },
      ]),
      { role: 'user', content: [result('toolu_1__part1of2', 'a'), text('Well?')] },
    ];
    const inner = { ...model, asked: [] as MessageParam[][] };
    inner.reply = async ({ messages }) => {
      inner.asked.push([...messages]);
      return messageOf([]);
    };
    await withBridge(inner, OF_TODAY).reply(requestOf(OF_2024, kept), options);
    for (const [index, message] of kept.entries()) expect(inner.asked[0]?.[index]).toBe(message);
  });
});

describe('a conversation that began with tools of another generation', () => {
  const editor = (id: string, name: string, input: object): Said => ({ type: 'tool_use', id, name, input });

  it('is read in the generation that each use was made in', async () => {
    const uses = [
      of2024('toolu_1', 'key', { text: 'Up Up' }),
      computerUse('computer_toolset_20260801', 'toolu_2', 'key', { text: 'up', repeat: 2 }),
      editor('toolu_3', 'str_replace_editor', {
        command: 'insert',
        path: '/a',
        insert_line: 0,
        new_str: 'x',
      }),
    ];
    const answers = [
      result('toolu_1', 'done'),
      result('toolu_2', 'done', { toolset_name: 'computer' }),
      result('toolu_3', 'done'),
    ];
    const expected = [
      { type: 'tool_use', id: 'toolu_1', name: 'computer', input: { action: 'key', text: 'Up Up' } },
      { type: 'tool_use', id: 'toolu_2', name: 'computer', input: { action: 'key', text: 'Up Up' } },
      { type: 'tool_use', id: 'toolu_3', name: 'str_replace_editor', input: uses[2]?.['input'] },
    ];
    const [assistant, answer] = await read(OF_2024, OF_TODAY, uses, answers);
    expect(blocksOf(assistant)).toEqual(expected);
    expect(blocksOf(answer).some((block) => 'toolset_name' in block)).toBe(false);

    const [today, answered] = await read(OF_TODAY, OF_2024, uses, answers);
    expect(blocksOf(today)).toEqual([
      computerUse('computer_toolset_20260801', 'toolu_1', 'key', { text: 'Up', repeat: 2 }),
      computerUse('computer_toolset_20260801', 'toolu_2', 'key', { text: 'Up', repeat: 2 }),
      editor('toolu_3', 'str_replace_based_edit_tool', {
        command: 'insert',
        path: '/a',
        insert_line: 0,
        insert_text: 'x',
      }),
    ]);
    expect(blocksOf(answered).filter((block) => 'toolset_name' in block)).toHaveLength(2);
  });

  it("leaves uses of the client's own tools alone, whatever they are called", async () => {
    const model = modelOf(messageOf([]));
    const own: ToolParam = {
      name: 'str_replace_editor',
      description: 'Mine.',
      input_schema: { type: 'object' },
    };
    const use = editor('toolu_1', 'str_replace_editor', { command: 'insert', path: '/a', insert_line: 0 });
    const messages = [
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: [use] },
      { role: 'user', content: [result('toolu_1', 'done')] },
    ] as unknown as MessageParam[];
    const tools = [own, editorTool('text_editor_20250728')];
    await withBridge(model, { ...OF_TODAY, editor: 'text_editor_20250429' }).reply(
      requestOf(OF_TODAY, messages, { tools }),
      options,
    );
    expect(model.asked[0]?.messages).toEqual(messages);
  });
});

describe.each(PAIRS.filter(([upstream, client]) => upstream !== client))(
  'a history for %s that another model had with a client of %s',
  (upstream, client) => {
    it('reaches the model with each use answered once, right behind it', async () => {
      await assertAsyncProperty(
        40,
        fc.array(fc.tuple(action, fc.boolean()), { minLength: 1, maxLength: 4 }),
        async (used) => {
          const blocks = used.flatMap(([each], index) =>
            (encodeComputer(COMPUTER_FORMS[client], each).inputs ?? []).map((input, part) =>
              computerUse(client, `toolu_${index}_${part}`, input.name, input.input),
            ),
          );
          fc.pre(blocks.length > 0);
          const [assistant, answer] = await read(
            taking(upstream),
            taking(client),
            blocks,
            blocks.map((block, index) =>
              result(String(block['id']), 'done', { is_error: used[index % used.length]?.[1] === true }),
            ),
          );
          const asked = blocksOf(assistant).map((block) => (block as { id: string }).id);
          const answered = blocksOf(answer).map((block) => (block as ToolResultBlockParam).tool_use_id);
          expect(answered).toEqual(asked);
          expect(new Set(asked).size).toBe(asked.length);
        },
      );
    });
  },
);

describe('ids of parts', () => {
  it('are told from all others, whatever the upstream calls its own', () => {
    assertProperty(
      100,
      fc.stringMatching(/^[a-zA-Z0-9_-]{1,30}(__part[1-3]of[1-3]){0,2}$/),
      fc.integer({ min: 1, max: 4 }),
      (id, count) => {
        const ids = partIds(id, count);
        expect(ids).toHaveLength(count);
        for (const [index, own] of ids.entries()) {
          expect(own).toMatch(/^[a-zA-Z0-9_-]+$/);
          const whole = count === 1 && own === id;
          expect(partOf(own)).toEqual(whole ? undefined : { base: id, part: index + 1, of: count });
        }
      },
    );
  });
});
