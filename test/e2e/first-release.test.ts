import fs from 'node:fs';
import type Anthropic from '@anthropic-ai/sdk';
import sharp from 'sharp';
import { Product } from '../support/product.ts';
import { TOOLS } from '../sdk/reference-loop.ts';
import { posted } from '../support/posted.ts';

/**
 * What the first release's document says of the tools' behaviour and of the loop, line by line, on a real sandbox. What it
 * says of requests is in test/messages/tools/first-release.test.ts and test/messages/schema.
 */

const missing = ['Xvfb', 'openbox', 'xdotool', 'xev'].filter((name) => !fs.existsSync(`/usr/bin/${name}`));
const describeOnDesktop = missing.length === 0 ? describe : describe.skip;
const why = missing.length === 0 ? '' : ` (skipped: there is no ${missing.join(', ')})`;

type Result = Anthropic.Beta.Messages.BetaToolResultBlockParam;

const product = new Product();
let sandbox = '';
let uses = 0;

/** One tool use, carried out. */
async function use(name: string, input: Readonly<Record<string, unknown>>): Promise<Result> {
  uses += 1;
  const response = await fetch(
    `${product.url}/v1/sandboxes/${sandbox}/tool_results`,
    posted({
      tools: TOOLS,
      content: [{ type: 'tool_use', id: `toolu_${uses}`, name, input }],
    }),
  );
  const { content } = (await response.json()) as { readonly content: readonly [Result] };
  return content[0];
}

function textOf({ content }: Result): string {
  return typeof content === 'string'
    ? content
    : (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

const bash = async (command: string): Promise<string> => textOf(await use('bash', { command }));
const editor = (input: Readonly<Record<string, unknown>>): Promise<Result> =>
  use('str_replace_editor', input);
const computer = (action: string, rest: Readonly<Record<string, unknown>> = {}): Promise<Result> =>
  use('computer', { action, ...rest });

const pointer = async (): Promise<string> => textOf(await computer('cursor_position'));

/** The lines of xev's report that came while `act` ran, e.g. `ButtonPress 1 (350,300)` or `KeyPress a`. */
async function eventsOf(act: () => Promise<unknown>): Promise<readonly string[]> {
  await bash(': > events');
  await act();
  // The key behind them: once it is told, everything before it has been.
  const report = await bash(
    'xdotool key Pause; until grep -q "keysym 0xff13, Pause" events; do sleep 0.02; done; cat events',
  );
  return [
    ...report.matchAll(
      /^(ButtonPress|ButtonRelease|KeyPress) event[^]*?root:(\(\d+,\d+\))[^]*?(?:button (\d)|keysym 0x[0-9a-f]+, (\w+))/gm,
    ),
  ]
    .map(([, kind, place, button, key]) =>
      key === undefined ? `${kind} ${button} ${place}` : `${kind} ${key}`,
    )
    .filter((line) => line !== 'KeyPress Pause');
}

beforeAll(async () => {
  if (missing.length > 0) return;
  await product.start();
  const response = await fetch(
    `${product.url}/v1/sandboxes`,
    posted({ display: { width: 1024, height: 768 } }),
  );
  ({ id: sandbox } = (await response.json()) as { id: string });
}, 360_000);
afterAll(() => product.dispose(), 120_000);

describeOnDesktop(`the computer tool${why}`, () => {
  beforeAll(async () => {
    await bash(
      'stdbuf -oL xev -geometry 300x200+300+250 -event button -event keyboard >> events 2>&1 & ' +
        "xdotool search --sync --onlyvisible --name 'Event Tester' windowactivate --sync",
    );
    await computer('mouse_move', { coordinate: [400, 350] });
  }, 360_000);

  test('"`mouse_move` | Move the cursor to the coordinate." "`cursor_position` | Return the current (x, y) pixel coordinate of the cursor."', async () => {
    await computer('mouse_move', { coordinate: [420, 360] });
    expect(await pointer()).toBe('X=420,Y=360');
  });

  test('"`left_click`, `right_click`, `middle_click` | Click that mouse button."', async () => {
    await computer('mouse_move', { coordinate: [400, 350] });
    for (const [action, button] of [
      ['left_click', 1],
      ['right_click', 3],
      ['middle_click', 2],
    ] as const) {
      expect(await eventsOf(() => computer(action))).toEqual([
        `ButtonPress ${button} (400,350)`,
        `ButtonRelease ${button} (400,350)`,
      ]);
    }
  });

  test('"`double_click` | Double-click the left button."', async () => {
    const click = ['ButtonPress 1 (400,350)', 'ButtonRelease 1 (400,350)'];
    expect(await eventsOf(() => computer('double_click'))).toEqual([...click, ...click]);
  });

  test('"`left_click_drag` | Click and drag the cursor to the coordinate."', async () => {
    expect(await eventsOf(() => computer('left_click_drag', { coordinate: [450, 380] }))).toEqual([
      'ButtonPress 1 (400,350)',
      'ButtonRelease 1 (450,380)',
    ]);
  });

  test('"`key` | Press a key or key combination ... (for example a combination joined by `+`, or a numpad key name)."', async () => {
    expect(await eventsOf(() => computer('key', { text: 'ctrl+b' }))).toEqual([
      'KeyPress Control_L',
      'KeyPress b',
    ]);
    expect(await eventsOf(() => computer('key', { text: 'KP_0' }))).toContain('KeyPress KP_0');
  });

  test('"`type` | Type a string of text."', async () => {
    const keys = await eventsOf(() => computer('type', { text: 'abc' }));
    expect(keys).toEqual(['KeyPress a', 'KeyPress b', 'KeyPress c']);
  });

  test('"`screenshot` | Take a screenshot of the screen."', async () => {
    const { content } = await computer('screenshot');
    const [picture] = content as Anthropic.Beta.Messages.BetaImageBlockParam[];
    const source = picture?.source as Anthropic.Beta.Messages.BetaBase64ImageSource;
    expect(await sharp(Buffer.from(source.data, 'base64')).metadata()).toMatchObject({
      format: 'png',
      width: 1024,
      height: 768,
    });
  });
});

describeOnDesktop(`the text editor${why}`, () => {
  const file = '/home/agent/plan.txt';

  test('"2. `create` cannot be used when `path` already exists as a file."', async () => {
    expect((await editor({ command: 'create', path: file, file_text: 'one\ntwo\ntwo\n' })).is_error).toBe(
      false,
    );
    const again = await editor({ command: 'create', path: file, file_text: 'other' });
    expect(again).toMatchObject({
      is_error: true,
      content: expect.stringContaining('already exists') as unknown,
    });
    expect(await bash(`cat ${file}`)).toBe('one\ntwo\ntwo');
  });

  test('"1. `view` of a file shows the content with line numbers."', async () => {
    expect(textOf(await editor({ command: 'view', path: file }))).toContain('     1\tone\n     2\ttwo\n');
    const range = textOf(await editor({ command: 'view', path: file, view_range: [2, -1] }));
    expect(range).toContain('     2\ttwo');
    expect(range).not.toContain('one');
  });

  test('"1. `view` of a directory lists non-hidden files and directories up to 2 levels deep."', async () => {
    await bash('mkdir -p tree/a/b/c tree/.hidden; touch tree/a/b/deep tree/a/file tree/.secret');
    const listed = textOf(await editor({ command: 'view', path: '/home/agent/tree' })).split('\n');
    expect(listed.filter((line) => line.startsWith('/')).sort()).toEqual([
      '/home/agent/tree',
      '/home/agent/tree/a',
      '/home/agent/tree/a/b',
      '/home/agent/tree/a/file',
    ]);
  });

  test('"3. When `old_str` is not unique in the file, the replacement is not performed."', async () => {
    const refused = await editor({ command: 'str_replace', path: file, old_str: 'two', new_str: 'three' });
    expect(refused.is_error).toBe(true);
    expect(await bash(`cat ${file}`)).toBe('one\ntwo\ntwo');
    const done = await editor({ command: 'str_replace', path: file, old_str: 'one\ntwo\n', new_str: '1\n' });
    expect(done.is_error).toBe(false);
    expect(await bash(`cat ${file}`)).toBe('1\ntwo');
  });

  test('"`insert_line` | The new text is inserted after this line."', async () => {
    await editor({ command: 'insert', path: file, insert_line: 1, new_str: 'between' });
    expect(await bash(`cat ${file}`)).toBe('1\nbetween\ntwo');
  });

  test('"`new_str` ... If omitted in `str_replace`, nothing is added."', async () => {
    await editor({ command: 'str_replace', path: file, old_str: 'between\n' });
    expect(await bash(`cat ${file}`)).toBe('1\ntwo');
  });

  test('"4. `undo_edit` reverts the last edit made to the file at `path`." "6. State persists across command calls."', async () => {
    await editor({ command: 'undo_edit', path: file });
    expect(await bash(`cat ${file}`)).toBe('1\nbetween\ntwo');
    await editor({ command: 'undo_edit', path: file });
    expect(await bash(`cat ${file}`)).toBe('1\ntwo');
  });

  test('"5. Long output is truncated and marked with `<response clipped>`."', async () => {
    await bash('seq 1 20000 > long.txt');
    const shown = textOf(await editor({ command: 'view', path: '/home/agent/long.txt' }));
    expect(shown).toContain('<response clipped>');
    expect(shown).not.toContain('20000');
  });
});

describeOnDesktop(`the bash tool${why}`, () => {
  test('"the shell state persists across calls"', async () => {
    await bash('cd /tmp; greeting=hello; say() { echo "$greeting from $PWD"; }');
    expect(await bash('say')).toBe('hello from /tmp');
  });

  test('"`restart` | `true` restarts the tool."', async () => {
    await use('bash', { restart: true });
    expect(await bash('echo "${greeting-gone}"; pwd')).toBe('gone\n/home/agent');
  });

  test('"`command` | required unless the tool is restarted | The command to run. It needs no XML escaping."', async () => {
    expect(await use('bash', {})).toMatchObject({ is_error: true, content: 'no command provided.' });
    expect(await bash(`echo '<a href="x">&amp;</a>' && [ 1 -lt 2 ] && echo "1 < 2"`)).toBe(
      '<a href="x">&amp;</a>\n1 < 2',
    );
  });

  test('"long-lived commands should be run in the background"', async () => {
    await bash('(sleep 1000 & echo $! > pid) ');
    expect(await bash('kill -0 "$(cat pid)" && echo runs; kill "$(cat pid)"')).toBe('runs');
  });
});

describeOnDesktop(`the agent loop${why}`, () => {
  const client = (): Anthropic => product.client;
  const task = '- bash: echo $((6 * 7))\n- say: That is all.';
  const ask = (
    messages: Anthropic.Beta.Messages.BetaMessageParam[],
  ): Promise<Anthropic.Beta.Messages.BetaMessage> =>
    client().beta.messages.create({
      model: 'script',
      max_tokens: 1024,
      messages,
      tools: TOOLS,
      betas: ['computer-use-2024-10-22'],
    });

  test('"Reply has `stop_reason` = `tool_use`", "a new user message with a `tool_result` block", "Reply without a tool request | Conversation ends"', async () => {
    const messages: Anthropic.Beta.Messages.BetaMessageParam[] = [{ role: 'user', content: task }];
    const first = await ask(messages);
    expect(first.stop_reason).toBe('tool_use');
    const wanted = first.content.find((block) => block.type === 'tool_use');
    expect(wanted).toMatchObject({ name: 'bash', input: { command: 'echo $((6 * 7))' } });
    if (wanted === undefined) return;
    const result = await use(wanted.name, wanted.input as Record<string, unknown>);
    expect(textOf(result)).toBe('42');
    messages.push(
      { role: 'assistant', content: first.content as Anthropic.Beta.Messages.BetaContentBlockParam[] },
      { role: 'user', content: [{ ...result, tool_use_id: wanted.id }] },
    );
    const last = await ask(messages);
    expect(last.stop_reason).toBe('end_turn');
    expect(last.content.map(({ type }) => type)).not.toContain('tool_use');
    expect(last.content[0]).toMatchObject({ type: 'text', text: 'That is all.' });
  });

  test('"The service never runs a tool itself: the client runs it"', async () => {
    await ask([{ role: 'user', content: '- bash: touch /home/agent/by-the-service' }]);
    expect(await bash('ls /home/agent/by-the-service 2>&1')).toContain('No such file');
  });
});
