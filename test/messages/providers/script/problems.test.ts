import { parseScript, scriptProblems } from '../../../../messages/providers/script/parse-script.ts';

/** An editor shows all that is wrong, where `parseScript` stops at the first. */

const told = (script: string): string[] => scriptProblems(script).map(({ message }) => message);

test.each([
  ['what is right', '- bash: ls\n- expect: 0\n- say: Done.', []],
  [
    'one problem of each step',
    '- bash: {}\n- jump: high\n- click: ""\n- say: ok',
    ['unknown step `jump`', '`click` has no text'],
  ],
  ['YAML that cannot be read', '- bash: "ls', ['this is not valid YAML']],
  ['no list', 'bash: ls', ['a script is a YAML list of steps']],
  ['nothing', '', ['a script is a YAML list of steps']],
  ['an exit code of no command', '- say: a\n- expect: 0', ['needs a `bash` command']],
  ['an exit code whose command is wrong', '- bash: [1]\n- expect: 0', ['`bash` takes a text']],
])('%s', (_name, script, expected) => {
  const found = told(script);
  expect(found).toHaveLength(expected.length);
  for (const [index, text] of expected.entries()) expect(found[index]).toContain(text);
});

test('the first problem is the one that the script would fail with', () => {
  for (const script of ['- jump: high\n- hop: 1', '- say: a\n- expect: 3', 'x', '- bash: "']) {
    const [first] = told(script);
    expect(() => parseScript(script)).toThrow(first);
  }
});
