import type { ToolParam } from '../../../../messages/index.ts';
import { userSays } from '../../support.ts';
import { answering, converse, lastText, ok, replyTo, texts, uses, type Tool } from './conversing.ts';

const asked = async (script: string, tool: Tool = ok): Promise<unknown[]> =>
  (await converse(script, tool)).replies.map(uses).filter((list) => list.length > 0);

it('makes one tool use of each step, by the names that the client gave its tools', async () => {
  const script = `
- bash: echo hello > note.txt
- bash: {restart: true}
- edit: {command: view, path: /home/agent/note.txt}
- computer: {action: mouse_move, coordinate: [10, 20]}
- type: "hello, world"
- key: ctrl+s
- say: Done.
`;
  expect(await asked(script)).toEqual([
    [['bash', { command: 'echo hello > note.txt' }]],
    [['bash', { restart: true }]],
    [['str_replace_editor', { command: 'view', path: '/home/agent/note.txt' }]],
    [['computer', { action: 'mouse_move', coordinate: [10, 20] }]],
    [['computer', { action: 'type', text: 'hello, world' }]],
    [['computer', { action: 'key', text: 'ctrl+s' }]],
  ]);
});

it('says what it is told to beside the next tool use, and at the end', async () => {
  const { replies } = await converse(
    '- say: First.\n- bash: a\n- say: Then.\n- say: And.\n- bash: b\n- say: Done.',
  );
  expect(replies.map(texts)).toEqual([
    ['First.', 'Script: step 2 of 6 (`bash`, line 2).'],
    ['Then.', 'And.', 'Script: step 5 of 6 (`bash`, line 5).'],
    ['Done.', 'Script: finished, 6 of 6 steps.'],
  ]);
  expect(replies.map((reply) => reply.stop_reason)).toEqual(['tool_use', 'tool_use', 'end_turn']);
});

it('answers a script that only says something at once', async () => {
  const { replies } = await converse('- say: Hello there.');
  expect(replies).toHaveLength(1);
  expect(texts(replies[0] as never)).toEqual(['Hello there.', 'Script: finished, 1 of 1 steps.']);
});

it('puts the steps of `together` into one reply', async () => {
  const { replies } = await converse(`
- together:
  - say: Both at once.
  - bash: echo a
  - computer: {action: screenshot}
- bash: echo b
`);
  expect(replies.map(uses)).toEqual([
    [
      ['bash', { command: 'echo a' }],
      ['computer', { action: 'screenshot' }],
    ],
    [['bash', { command: 'echo b' }]],
    [],
  ]);
  expect(texts(replies[0] as never)[0]).toBe('Both at once.');
});

it("uses one of the client's own tools", async () => {
  const weather: ToolParam = {
    name: 'get_weather',
    description: 'The weather',
    input_schema: { type: 'object' },
  };
  const run = await converse('- tool: {name: get_weather, input: {place: Rome}}', ok, { tools: [weather] });
  expect(uses(run.replies[0] as never)).toEqual([['get_weather', { place: 'Rome' }]]);
  expect(lastText(run)).toBe('Script: finished, 1 of 1 steps.');
});

it('types what stands in the script, be it a number to YAML or not', async () => {
  const steps = await asked('- type: 007\n- type: 1e3\n- type: true\n- key: 5\n- bash: 1.0');
  const typed = steps.map((uses) => JSON.stringify(uses));
  expect(typed.map((use) => /"(?:text|command)":"(.*)"/.exec(use)?.[1])).toEqual([
    '007',
    '1e3',
    'true',
    '5',
    '1.0',
  ]);
});

describe('expect with a text', () => {
  it('is met by a part of the last result', async () => {
    const run = await converse('- bash: ls\n- expect: note\n- say: Found.', answering('a.txt\nnote.txt'));
    expect(lastText(run)).toContain('Found.');
  });

  it('ends the turn when the last result does not hold it, and quotes the result', async () => {
    const run = await converse('- bash: ls\n- expect: note\n- bash: rm note.txt', answering('a.txt'));
    expect(run.replies).toHaveLength(2);
    expect(lastText(run)).toBe(
      'Script: step 2 of 3 (`expect`, line 2) failed: the last result does not hold "note": a.txt',
    );
  });

  it('looks at the last of several results', async () => {
    const script = '- together: [{bash: a}, {bash: b}]\n- expect: two';
    expect(lastText(await converse(script, answering('one', 'two')))).toContain('finished');
    expect(lastText(await converse(script, answering('two', 'one')))).toContain('failed');
  });

  it('fails where nothing has come back yet', async () => {
    expect(lastText(await converse('- expect: note'))).toContain(
      'there is no result yet that could hold "note"',
    );
  });

  it('reads text blocks, and takes a number in quotes as text', async () => {
    const picture: Tool = () => ({ content: [{ type: 'text', text: 'answer 42' }] });
    expect(lastText(await converse('- bash: a\n- expect: "42"', picture))).toContain('finished');
  });
});

describe('expect with an exit code', () => {
  it('has the command before it print its code', async () => {
    const script = '- bash: |-\n    cat <<EOF\n    x\n    EOF\n- expect: 0';
    expect(await asked(script)).toEqual([
      [['bash', { command: 'cat <<EOF\nx\nEOF\necho "[exit code $?]"' }]],
    ]);
  });

  it.each([
    ['is met', '- bash: a\n- expect: 3', 'output\n[exit code 3]', 'finished'],
    [
      'is not met',
      '- bash: a\n- expect: 0',
      'no\n[exit code 3]',
      'failed: the exit code should be 0, it is 3: no',
    ],
    ['reads the last code', '- bash: a\n- expect: 0', '[exit code 3]\n[exit code 0]', 'finished'],
    ['finds none', '- bash: a\n- expect: 0', 'cut', 'failed: the exit code should be 0, none can be read'],
    [
      'stands behind a text',
      '- bash: a\n- expect: out\n- say: so\n- expect: 0',
      'out[exit code 0]',
      'finished',
    ],
    ['stands behind together', '- together: [{key: a}, {bash: b}]\n- expect: 0', '[exit code 0]', 'finished'],
  ])('%s', async (_what, script, output, expected) => {
    expect(lastText(await converse(script, () => ({ content: output })))).toContain(expected);
  });

  it('asks a command that is checked twice only once', async () => {
    expect(await asked('- bash: a\n- expect: 0\n- expect: 0', answering('[exit code 0]'))).toEqual([
      [['bash', { command: 'a\necho "[exit code $?]"' }]],
    ]);
  });
});

describe('a tool that answers with an error', () => {
  const failing: Tool = (_name, { command }) =>
    command === 'bad' ? { content: 'no such file', is_error: true } : { content: 'fine' };

  it('ends the turn', async () => {
    const run = await converse('- bash: good\n- bash: bad\n- bash: good', failing);
    expect(run.replies).toHaveLength(3);
    expect(run.replies.at(-1)?.stop_reason).toBe('end_turn');
    expect(lastText(run)).toBe(
      'Script: step 2 of 3 (`bash`, line 2) failed: the tool answered with an error: no such file',
    );
  });

  it('does not where the step says or_continue, and the next reply tells of it', async () => {
    const run = await converse('- bash: bad\n  or_continue: true\n- expect: no such\n- bash: good', failing);
    expect(lastText(run)).toBe('Script: finished, 3 of 3 steps.');
    const plain = await converse('- bash: good\n- expect: bad\n  or_continue: true\n- say: On.', failing);
    expect(lastText(plain)).toBe(
      'Script: step 2 of 3 (`expect`, line 2) failed: the last result does not hold "bad": fine\n' +
        'Going on, as the step says `or_continue`.\nOn.\nScript: finished, 3 of 3 steps.',
    );
  });

  it('names the one of several', async () => {
    const script = '- together: [{bash: good}, {bash: bad}]';
    expect(lastText(await converse(script, failing))).toContain(
      '`bash`, use 2 of 2, answered with an error: no such file',
    );
    const tolerant = '- together: [{bash: good}, {bash: bad, or_continue: true}]';
    expect(lastText(await converse(tolerant, failing))).toContain('finished');
  });

  it('quotes long errors in part', async () => {
    const run = await converse('- bash: a', () => ({ content: 'x'.repeat(5000), is_error: true }));
    expect(lastText(run).length).toBeLessThan(800);
  });
});

describe('what cannot be done', () => {
  it.each(['click: Save', 'double_click: note.txt', 'type_into: {field: Name, text: Al}', 'wait_for: Ready'])(
    'reading the screen, as %s does, is told plainly',
    async (step) => {
      const verb = step.split(':')[0];
      expect(lastText(await converse(`- ${step}`))).toBe(
        `Script: step 1 of 1 (\`${verb}\`, line 1) failed: \`${verb}\` has to read text from the screen, ` +
          'and this server has no text recognition',
      );
    },
  );

  it.each([
    ['bash', '`bash_...` tool', '- bash: ls'],
    ['the editor', '`text_editor_...` tool', '- edit: {command: view, path: /}'],
    ['the computer', '`computer_...` tool', '- key: a'],
    ['an own tool', 'tool named `f`', '- tool: {name: f}'],
  ])('a step whose tool is not offered: %s', async (_what, tool, script) => {
    expect(lastText(await converse(script, ok, { tools: [] }))).toContain(
      `failed: the request offers no ${tool}`,
    );
  });

  it('a tool where the choice is none', async () => {
    expect(lastText(await converse('- bash: ls', ok, { tool_choice: { type: 'none' } }))).toContain(
      'offers no `bash_...`',
    );
  });

  it('several uses in one reply where the request allows one', async () => {
    const choice = { type: 'auto', disable_parallel_tool_use: true } as const;
    expect(
      lastText(await converse('- together: [{bash: a}, {bash: b}]', ok, { tool_choice: choice })),
    ).toContain('the request allows one tool use a reply');
    expect(lastText(await converse('- bash: a\n- bash: b', ok, { tool_choice: choice }))).toContain(
      'finished',
    );
  });
});

it.each([
  ['plain words', 'hello', 'line 1: a script is a YAML list of steps'],
  ['a map', 'bash: ls', 'line 1: a script is a YAML list of steps'],
  ['nothing in the list', '[]', 'line 1: the list of steps is empty'],
  [
    'an unknown step',
    '- bash: ls\n\n- dance: now',
    'line 3: unknown step `dance`; the steps are bash, edit, computer,',
  ],
  [
    'two actions in a step',
    '- bash: ls\n- key: a\n  type: b',
    'line 2: a step has one action, this has key and type',
  ],
  ['a step that is no map', '- bash: ls\n- screenshot', 'line 2: a step is a map such as `bash: ls`'],
  ['no action', '- or_continue: true', 'line 1: a step needs an action beside `or_continue`'],
  ['an odd or_continue', '- bash: ls\n  or_continue: maybe', 'line 1: `or_continue` is true or false'],
  [
    'a computer step that is no input',
    '- computer: screenshot',
    "line 1: `computer` takes the tool's input as a map",
  ],
  ['an edit step that is no input', '- edit: note.txt', "line 1: `edit` takes the tool's input as a map"],
  ['a bash step without a command', '- bash:', 'line 1: `bash` takes a text'],
  ['nothing to say', '- say: " "', 'line 1: `say` has nothing to say'],
  [
    'an expect of neither kind',
    '- bash: ls\n- expect: true',
    'line 2: `expect` takes a text that the last result must hold',
  ],
  ['an exit code out of range', '- bash: ls\n- expect: 256', 'line 2: `expect` takes a text'],
  [
    'an exit code of no command',
    '- key: a\n- expect: 0',
    'line 2: `expect` with an exit code needs a `bash` command',
  ],
  ['an exit code of nothing', '- expect: 0', 'line 1: `expect` with an exit code needs a `bash` command'],
  ['together of nothing', '- together: []', 'line 1: `together` takes a list of steps'],
  ['together of words alone', '- together: [{say: a}]', 'line 1: `together` holds no tool use'],
  [
    'expect in together',
    '- together:\n  - bash: a\n  - expect: b',
    'line 3: `expect` cannot stand in `together`',
  ],
  [
    'together in together',
    '- together: [{together: [{bash: a}]}]',
    'line 1: `together` cannot stand in `together`',
  ],
  ['an own tool without a name', '- tool: {input: {}}', 'line 1: `tool` takes `{name: ..., input: {...}}`'],
  ['broken YAML', '- bash: ls\n- bash: "never closed', 'this is not valid YAML: '],
  ['a key twice', '- bash: ls\n  bash: pwd', 'line 2: this is not valid YAML: '],
  ['an unknown alias', '- bash: *nowhere', 'line 1: '],
])('refuses a message that is no script: %s', async (_what, script, problem) => {
  const reply = await replyTo([userSays(script)]);
  expect(reply.stop_reason).toBe('end_turn');
  expect(texts(reply).join()).toMatch(/^Your message cannot be run as a script: line \d+: /);
  expect(texts(reply).join()).toContain(problem);
  expect(texts(reply).join()).toContain('This is the `script` provider: it is no language model');
});
