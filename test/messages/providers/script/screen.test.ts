import { assertAsyncProperty, fc } from '../../../support/fast-check.ts';
import {
  PictureUnreadableError,
  ProviderOverloadedError,
  type Message,
  type MessageParam,
  type TextRecognizer,
  type ToolParam,
} from '../../../../messages/index.ts';
import { createScriptProvider } from '../../../../messages/providers/script/script-provider.ts';
import { modelRequest, TOOLS, userSays } from '../../support.ts';
import { converse, lastText, replyTo, texts, uses, type Run, type Tool } from './conversing.ts';
import { line, picture, recognizing, showing } from './screen.ts';

const DIALOG = [line('Save changes?', 100, 50), line('Save', 100, 100), line('Cancel', 200, 100)];
const EMPTY = [line('Nothing here', 0, 0)];
const screenText = recognizing({ dialog: DIALOG, empty: EMPTY });
const run = (
  script: string,
  tool: Tool,
  recognizer: TextRecognizer = screenText,
  tools = TOOLS,
): Promise<Run> => converse(script, tool, { tools }, recognizer);
const asked = ({ replies }: Run): unknown[] => replies.flatMap(uses).map(([, input]) => input);

/** A later generation of the tool, as its clients list it. */
const LATER = [
  { type: 'computer_20250124', name: 'computer', display_width_px: 1024, display_height_px: 768 },
] as unknown as readonly ToolParam[];

const shot = { action: 'screenshot' };
const SAVE = [116, 108] as const;

describe('click', () => {
  it('looks, moves to the middle of the text and clicks', async () => {
    const done = await run('- click: Save\n- say: Saved.', showing('dialog'));
    expect(asked(done)).toEqual([shot, { action: 'mouse_move', coordinate: SAVE }, { action: 'left_click' }]);
    expect(done.replies.map((reply) => texts(reply))).toEqual([
      ['Script: step 1 of 2 (`click`, line 1).'],
      [
        'Script: step 1 of 2 (`click`, line 1): "Save" at (116, 108), number 1 of 2 (also "Save changes?" at (116, 58)).',
      ],
      ['Script: step 1 of 2 (`click`, line 1).'],
      ['Saved.', 'Script: finished, 2 of 2 steps.'],
    ]);
  });

  it('names the place with the click where the tool takes it', async () => {
    const done = await run('- click: Save\n- double_click: Cancel', showing('dialog'), screenText, [
      ...LATER,
    ]);
    expect(asked(done)).toEqual([
      shot,
      { action: 'left_click', coordinate: SAVE },
      shot,
      { action: 'double_click', coordinate: [224, 108] },
    ]);
    expect(lastText(done)).toContain('finished');
  });

  it('double-clicks', async () => {
    const done = await run('- double_click: Cancel', showing('dialog'));
    expect(asked(done)[2]).toEqual({ action: 'double_click' });
  });

  it('takes the wanted one of several', async () => {
    const done = await run('- click: {text: Save, nth: 2}', showing('dialog'));
    expect(asked(done)[1]).toEqual({ action: 'mouse_move', coordinate: [116, 58] });
    expect(texts(done.replies[1] as Message).join()).toContain('"Save" in "Save changes?" at (116, 58)');
  });

  it.each([
    ['- click: Quit', '"Quit" is not on the screen; it reads: Save changes? | Save | Cancel'],
    [
      '- click: {text: Save, nth: 3}',
      '"Save" is on the screen only 2 times, not 3: "Save" at (116, 108), "Save changes?" at (116, 58)',
    ],
  ])('ends the turn where it cannot: %s', async (script, why) => {
    const done = await run(script, showing('dialog'));
    expect(asked(done)).toEqual([shot]);
    expect(lastText(done)).toBe(`Script: step 1 of 1 (\`click\`, line 1) failed: ${why}`);
  });

  it('says what was read where that is not what was asked for', async () => {
    const done = await run('- click: cancel', showing('dialog'));
    expect(texts(done.replies[1] as Message).join()).toContain('"cancel", read as "Cancel", at (224, 108).');
  });

  it('goes on after a failure with or_continue, and tells of it once', async () => {
    const script =
      '- click: Quit\n  or_continue: true\n- computer: {action: mouse_move, coordinate: [1, 2]}\n- key: a';
    const done = await run(script, showing('dialog'));
    expect(asked(done)).toEqual([
      shot,
      { action: 'mouse_move', coordinate: [1, 2] },
      { action: 'key', text: 'a' },
    ]);
    expect(texts(done.replies[1] as Message)[0]).toContain('Going on, as the step says `or_continue`.');
    expect(texts(done.replies[2] as Message)).toEqual(['Script: step 3 of 3 (`key`, line 4).']);
    expect(lastText(done)).toBe('Script: finished, 3 of 3 steps.');
  });

  it.each([
    ['the look', 0],
    ['the move', 1],
    ['the click', 2],
  ])('fails when %s does', async (_what, at) => {
    let calls = 0;
    const shows = showing('dialog');
    const tool: Tool = (...use) =>
      calls++ === at ? { content: 'no display', is_error: true } : shows(...use);
    const done = await run('- click: Save\n- key: a', tool);
    expect(asked(done)).toHaveLength(at + 1);
    expect(lastText(done)).toContain('failed: the tool answered with an error: no display');
  });
});

describe('type_into', () => {
  it('clicks and types', async () => {
    const done = await run('- type_into: {field: Cancel, text: 007}', showing('dialog'));
    expect(asked(done)).toEqual([
      shot,
      { action: 'mouse_move', coordinate: [224, 108] },
      { action: 'left_click' },
      { action: 'type', text: '007' },
    ]);
    expect(lastText(done)).toContain('finished');
  });
});

describe('type_into where the pixels are known', () => {
  it('clicks into the field beside the label', async () => {
    const data = new Uint8Array(400 * 300).fill(245);
    for (let y = 92; y < 124; y += 1)
      data.fill(y === 92 || y === 123 ? 90 : 255, y * 400 + 260, y * 400 + 380);
    for (let y = 92; y < 124; y += 1) for (const x of [260, 379]) data[y * 400 + x] = 90;
    const pixels = (): Promise<object> => Promise.resolve({ width: 400, height: 300, channels: 1, data });
    const done = await run('- type_into: {field: Cancel, text: x}', showing('dialog'), {
      ...screenText,
      pixels: pixels as never,
    });
    expect(texts(done.replies[1] as Message).join()).toContain(
      '"Cancel" at (224, 108), its field right of it at (292, 107).',
    );
    expect(asked(done)[1]).toEqual({ action: 'mouse_move', coordinate: [292, 107] });
  });
});

describe('wait_for', () => {
  it('looks again after a look that a person stopped by taking over', async () => {
    const stopped = { content: 'human stopped or interrupted tool execution', is_error: true };
    const looks = [showing('empty'), () => stopped, showing('dialog')];
    const done = await run('- wait_for: Save\n- key: a', (...use) =>
      (looks.shift() ?? showing('dialog'))(...use),
    );
    expect(asked(done)).toEqual([shot, shot, shot, { action: 'key', text: 'a' }]);
    expect(lastText(done)).toContain('finished, 2 of 2 steps');
  });

  it('ends where a look failed for another reason', async () => {
    const broken = { content: 'the display is gone', is_error: true };
    expect(lastText(await run('- wait_for: Save', () => broken))).toContain('failed: the tool answered with');
  });

  it('looks until the text is there, ever less often', async () => {
    const done = await run('- wait_for: Save\n- key: a', showing('empty', 'empty', 'empty', 'dialog'));
    expect(asked(done)).toEqual([shot, shot, shot, shot, { action: 'key', text: 'a' }]);
    expect(texts(done.replies[1] as Message)).toEqual([
      'Script: step 1 of 2 (`wait_for`, line 1): "Save" is not there yet.',
    ]);
    expect(done.pausedMs).toBe(250 + 500 + 1000);
  });

  it.each([
    ['- wait_for: Save', 30_000, 30],
    ['- wait_for: {text: Save, timeout: 4}', 4000, 4],
    ['- wait_for: {text: Save, timeout: 0}', 0, 0],
    ['- wait_for: {text: Save, timeout: 0.5}', 500, 0.5],
  ])('gives up when its time is over, and says what it saw: %s', async (script, ms, seconds) => {
    const done = await run(script, showing('empty'));
    expect(done.pausedMs).toBe(ms);
    const looks = asked(done).length;
    expect(lastText(done)).toBe(
      `Script: step 1 of 1 (\`wait_for\`, line 1) failed: "Save" did not appear in ${seconds} s and ${looks} ` +
        `${looks === 1 ? 'look' : 'looks'}; it reads: Nothing here`,
    );
  });

  it('is waited for by the provider before it answers, and given up with the request', async () => {
    const waits: number[] = [];
    const pause = (ms: number, signal: AbortSignal): Promise<void> => {
      waits.push(ms);
      return Promise.resolve(signal.throwIfAborted());
    };
    const provider = createScriptProvider({ recognizer: screenText, pause });
    const { messages } = await run('- wait_for: Save', showing('empty'));
    const request = modelRequest({ messages: messages.slice(0, 3) });
    await provider.reply(request, { signal: new AbortController().signal });
    expect(waits).toEqual([250]);

    const abort = new AbortController();
    const patient = createScriptProvider({ recognizer: screenText });
    const given = patient.reply(modelRequest({ messages: messages.slice(0, 9) }), { signal: abort.signal });
    const reason = new Error('given up');
    abort.abort(reason);
    await expect(given).rejects.toBe(reason);
  });
});

describe('expect with a text', () => {
  const script = (text: string): string => `- key: a\n- expect: ${text}\n- key: b`;

  it("is met by the last result's picture", async () => {
    expect(lastText(await run(script('Cancel'), showing('dialog')))).toContain('finished');
  });

  it('is met by its text without a look at the picture', async () => {
    const recognizer = recognizing({});
    const tool: Tool = () => ({ content: [{ type: 'text', text: 'X=1' }, picture('dialog') as never] });
    expect(lastText(await run(script('X=1'), tool, recognizer))).toContain('finished');
    expect(recognizer.read).not.toHaveBeenCalled();
  });

  it('says what the picture shows instead', async () => {
    expect(lastText(await run(script('Quit'), showing('dialog')))).toBe(
      'Script: step 2 of 3 (`expect`, line 2) failed: the last result does not show "Quit"; ' +
        'it reads: Save changes? | Save | Cancel',
    );
    expect(lastText(await run(script('Quit'), showing('blank')))).toContain('no text can be read there');
  });
});

describe('reading', () => {
  it('happens once a picture, and only for the reply that is decided from it', async () => {
    const recognizer = recognizing({ dialog: DIALOG });
    await run('- wait_for: Save\n- expect: Cancel\n- expect: Save\n- key: a', showing('dialog'), recognizer);
    expect(recognizer.read).toHaveBeenCalledTimes(1);
    recognizer.read.mockClear();
    await run('- click: Save\n- click: Cancel\n- key: a', showing('dialog'), recognizer);
    expect(recognizer.read).toHaveBeenCalledTimes(2);
  });

  it('needs no picture but the newest: earlier ones may have been left out', async () => {
    const script =
      '- wait_for: Save\n- click: Quit\n  or_continue: true\n- click: Save\n- expect: Cancel\n- key: a\n- type_into: {field: Save, text: x}';
    const { messages, replies } = await run(script, showing('empty', 'dialog'));
    for (const [index, reply] of replies.entries()) {
      const prefix = messages
        .slice(0, 2 * index + 1)
        .map((message, position): MessageParam =>
          position === 2 * index || message.role !== 'user' || typeof message.content === 'string'
            ? message
            : { ...message, content: message.content.map(leftOut) as never },
        );
      expect(await replyTo(prefix, {}, screenText)).toMatchObject({ content: reply.content, id: reply.id });
    }
    expect(replies).toHaveLength(12);
  });

  it.each([
    ['has no picture', { content: 'ok' }, 'the result has no picture'],
    [
      'has one elsewhere',
      { content: [{ type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }] },
      "only pictures in base64 can be read, and the result's is of kind url",
    ],
  ])('fails where the result %s', async (_what, answer, why) => {
    const done = await run('- click: Save', () => answer as never);
    expect(lastText(done)).toContain(`failed: the picture cannot be read: ${why}`);
  });

  it('fails where the picture is none', async () => {
    const recognizer = { read: () => Promise.reject(new PictureUnreadableError('it is no image')) };
    const done = await run('- click: Save', showing('dialog'), recognizer);
    expect(lastText(done)).toContain('failed: the picture cannot be read: it is no image');
  });

  it('is tried again by who asks where the recogniser is busy', async () => {
    const recognizer = { read: () => Promise.reject(new ProviderOverloadedError('busy')) };
    await expect(run('- click: Save', showing('dialog'), recognizer)).rejects.toThrow('busy');
  });
});

describe('a conversation that lacks', () => {
  it('the texts of its replies is not guessed at', async () => {
    const { messages } = await run('- click: Save\n- key: a', showing('dialog'));
    const bare = messages
      .slice(0, 3)
      .map((message): MessageParam =>
        message.role === 'assistant' && typeof message.content !== 'string'
          ? { ...message, content: message.content.filter(({ type }) => type !== 'text') }
          : message,
      );
    expect(texts(await replyTo(bare, {}, screenText)).join()).toBe(
      'Script: the conversation does not follow the script: ' +
        'the replies at step 1 of 2 (`click`, line 1) lack the text that says so.',
    );
  });

  it('a part of a step is noticed', async () => {
    const { messages } = await run('- click: Save\n- key: a\n- key: b', showing('dialog'));
    const [script, look, seen, , , ...rest] = messages as [MessageParam, MessageParam, MessageParam];
    const cut = [script, look, seen, ...rest.slice(2, 4)];
    expect(texts(await replyTo(cut, {}, screenText)).join()).toContain(
      'it goes on before step 1 of 3 (`click`, line 1) is finished',
    );
  });
});

it('gives the same reply for every prefix, whatever the steps find', async () => {
  const step = fc.oneof(
    fc.constant('- click: Save'),
    fc.constant('- click: Quit\n  or_continue: true'),
    fc.constant('- double_click: {text: Save, nth: 2}'),
    fc.constant('- type_into: {field: Cancel, text: x}'),
    fc.constant('- wait_for: {text: Cancel, timeout: 2}'),
    fc.constant('- wait_for: {text: Quit, timeout: 1}\n  or_continue: true'),
    fc.constant('- expect: Save\n  or_continue: true'),
    fc.constant('- computer: {action: screenshot}'),
    fc.constant('- say: Script step'),
    fc.constant('- bash: ls'),
  );
  const screens = fc.array(fc.constantFrom('dialog', 'empty', 'blank'), { minLength: 1, maxLength: 30 });
  await assertAsyncProperty(
    60,
    fc.array(step, { minLength: 1, maxLength: 6 }),
    screens,
    async (steps, shown) => {
      const { messages, replies } = await run(steps.join('\n'), showing(...shown));
      for (const [index, reply] of replies.entries())
        expect(await replyTo(messages.slice(0, 2 * index + 1), {}, screenText)).toEqual(reply);
      expect(lastText({ messages, replies, pausedMs: 0 })).not.toContain('does not follow');
    },
  );
});

it.each([
  ['click with nothing', '- click: " "', '`click` has no text to look for'],
  ['click with more', '- click: {text: OK, button: right}', '`click` takes a text or `{text: ..., nth: 2}`'],
  ['click with a part', '- double_click: {nth: 2}', '`double_click` takes a text'],
  ['an odd nth', '- click: {text: OK, nth: 0}', '`click.nth` is a whole number from 1'],
  ['type_into without a text', '- type_into: {field: Name}', '`type_into` takes `{field: ..., text: ...}`'],
  ['type_into with a text alone', '- type_into: Name', '`type_into` takes `{field: ..., text: ...}`'],
  [
    'an odd timeout',
    '- wait_for: {text: OK, timeout: 601}',
    '`wait_for.timeout` is a number of seconds from 0 to 600',
  ],
  [
    'wait_for with more',
    '- wait_for: {text: OK, until: 5}',
    '`wait_for` takes a text or `{text: ..., timeout: 60}`',
  ],
  ['click in together', '- together: [{click: OK}]', '`click` cannot stand in `together`'],
])('refuses %s', async (_what, script, problem) => {
  expect(texts(await replyTo([userSays(script)], {}, screenText)).join()).toContain(`line 1: ${problem}`);
});

function leftOut(block: unknown): unknown {
  const { type } = block as { type: string };
  if (type !== 'tool_result') return block;
  return { ...(block as object), content: [{ type: 'text', text: '[an earlier screenshot, left out]' }] };
}
