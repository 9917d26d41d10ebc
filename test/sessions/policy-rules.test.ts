import { assertProperty, fc } from '../support/fast-check.ts';
import { factsOf } from '../../sessions/policy/action-facts.ts';
import { actionPolicy, type PolicyRule } from '../../sessions/policy/action-policy.ts';
import { atOnce, Effort } from '../../sessions/policy/effort.ts';
import { evaluatePolicies, evaluation } from '../../sessions/policy/evaluate.ts';
import { compilePattern } from '../../sessions/policy/pattern.ts';
import type { MatchOptions } from '../../sessions/policy/pattern-program.ts';

const bash = (command: string): { type: string; name: string; input: object } => ({
  type: 'bash_20250124',
  name: 'bash',
  input: { command },
});

function decide(
  rules: readonly PolicyRule[],
  use: Parameters<typeof factsOf>[0],
  title: string | null = null,
) {
  return atOnce(evaluation([{ source: 'agent', policy: { rules } }], factsOf(use), title))?.decision;
}

describe('a command that is allowed', () => {
  const rule: PolicyRule = { match: { command: '(ls|echo)( [^;&|]*)?' }, decision: 'allow' };
  it.each(['ls', 'ls -l # all of it', '# a note\nls', 'echo "#" a#b; ls # rm x'])(
    'is found in %j',
    (command) => {
      expect(decide([rule], bash(command))).toBe('allow');
    },
  );
  it.each([
    "ls; ''#; rm x",
    'ls ""#; rm x',
    'ls \\ #; rm x',
    'ls \\\\\\ #; rm x',
    'ls $IFS#; rm x',
    'ls "x "#; rm x',
    'echo ${x:- #}; rm x',
    'echo "${x:-" #"}"; rm x',
    'echo $[ # ]; rm x',
    'ls; (( # )); rm x',
    'echo $(( # )); rm x',
    'echo $(( # $(rm x)))',
    'echo $(# )\nrm x\n)',
    'echo "$(# )\nrm x\n)"',
    'ls <<ls\n# $(rm x)\nls',
  ])('is not found in %j, where bash runs another', (command) => {
    expect(decide([rule], bash(command))).toBeUndefined();
  });
});

describe('a command with more readings than anyone can look at', () => {
  it.each([`sudo ${'a '.repeat(40_000)}`, `sudo ${'x'.repeat(2000)} `.repeat(40)])(
    'is forbidden by what could forbid it',
    (command) => {
      expect(decide([{ match: { command: '^rm' }, decision: 'deny' }], bash(command))).toBe('deny');
      expect(decide([{ match: { command: '.*' }, decision: 'allow' }], bash(command))).toBeUndefined();
    },
  );
});

describe('a command that takes long to judge', () => {
  const slow = '(?:[a-z ]{0,30}){1,15}zz';
  const rule = (decision: PolicyRule['decision']): PolicyRule => ({ match: { command: slow }, decision });
  const judged = (rules: readonly PolicyRule[], effort: number): string | undefined =>
    atOnce(
      evaluation(
        [{ source: 'agent', policy: { rules } }],
        factsOf(bash('a '.repeat(500))),
        null,
        new Effort(effort),
      ),
    )?.decision;

  it('leaves others their turns', async () => {
    let turns = 0;
    const turn = (): void => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    const policy = { rules: [rule('deny')] };
    await evaluatePolicies([{ source: 'agent', policy }], factsOf(bash('a '.repeat(10_000))), null);
    clearImmediate(next);
    expect(turns).toBeGreaterThan(0);
  });

  it('is forbidden by what could forbid it once that is too long', () => {
    expect(judged([rule('deny')], Infinity)).toBeUndefined();
    expect(judged([rule('deny')], 10_000)).toBe('deny');
    expect(judged([rule('ask')], 10_000)).toBe('ask');
    expect(judged([{ match: { command: `${slow}|.*` }, decision: 'allow' }], Infinity)).toBe('allow');
    expect(judged([{ match: { command: `${slow}|.*` }, decision: 'allow' }], 10_000)).toBeUndefined();
  });
});

describe('a command that is denied', () => {
  const rule: PolicyRule = { match: { command: '^rm\\b' }, decision: 'deny' };
  it.each([
    'rm -rf /',
    'RM -rf /',
    '  rm   x',
    'cd /tmp\nrm x',
    'cd /tmp; rm x',
    'true && rm x',
    'true||rm x',
    'sleep 1 & rm x',
    'yes | rm -i x',
    '(rm x)',
    '{ rm x; }',
    'if true; then rm x; fi',
    'for f in *; do rm "$f"; done',
    'f() { rm x; }; f',
    'echo $(rm x)',
    'echo "$(rm x)"',
    'echo `rm x`',
    'echo "`rm x`"',
    'echo $(echo $(rm x))',
    'cat <(rm x)',
    "bash -c 'rm x'",
    'bash -c "rm x"',
    'bash -c rm\\ x',
    'sh -c "cd /; rm x"',
    `bash -c "bash -c 'rm x'"`,
    'eval rm x',
    "eval 'rm' x",
    'sudo rm x',
    'sudo -u root rm x',
    'env -i A=1 rm x',
    'A=1 rm x',
    'timeout -k 1 5 rm x',
    'find . -name y -exec rm {} +',
    'echo x | xargs rm',
    'command rm x',
    '/bin/rm x',
    '/usr/bin/../bin/rm x',
    'exec /bin/rm x',
    "r''m x",
    '"rm" x',
    "'r'm x",
    'r\\m x',
    '\\rm x',
    'r\\\nm x',
    "$'rm' x",
    "$'\\x72m' x",
    "$'\\162\\155' x",
    'rm${IFS}x',
    'rm$IFS-rf',
    '! rm x',
    'time rm x',
    'cat <<EOF | bash\nrm x\nEOF',
    'x=${y:-$(rm x)}',
    '# just a note\nrm x',
    "# don't\nrm x",
  ])('is found in %j', (command) => {
    expect(decide([rule], bash(command))).toBe('deny');
  });

  it.each(['echo rm', 'ls', 'grep -r rm .', 'rmdir x', 'echo "do not rm it"', 'form x'])(
    'is not found in %j',
    (command) => expect(decide([rule], bash(command))).toBeUndefined(),
  );

  it('is found whatever its length, and an overlong one is not allowed', () => {
    expect(decide([rule], bash(`${'x'.repeat(200_000)}; rm y`))).toBe('deny');
    const allow: PolicyRule = { match: { command: '.*' }, decision: 'allow' };
    expect(decide([allow], bash('x'.repeat(200_000)))).toBeUndefined();
  });
});

describe('a command that is allowed', () => {
  const rules: PolicyRule[] = [
    { match: { command: ['ls( .*)?', 'git (status|diff.*)'] }, decision: 'allow' },
  ];
  it.each([
    'ls',
    'ls -l /tmp',
    'git status',
    'ls; git status',
    'ls && ls | ls',
    'ls "a b"',
    'if ls; then ls; fi',
  ])('covers %j', (command) => expect(decide(rules, bash(command))).toBe('allow'));
  it.each([
    'ls; rm x',
    'ls\nrm x',
    'ls $(rm x)',
    'ls "$(rm x)"',
    'ls `rm x`',
    'ls & rm x',
    'ls | sh',
    'LS',
    'git statusx',
    'xgit status',
    'LD_PRELOAD=./x.so ls',
    "ls '\nrm x'",
    "ls # don't\nrm x # '",
    'ls <(rm x)',
    '',
    'cat <<EOF\nls\nEOF',
  ])('does not cover %j', (command) => expect(decide(rules, bash(command))).toBeUndefined());
});

describe('rules', () => {
  const at = (path: unknown, command = 'view') => ({
    type: 'text_editor_20250728',
    name: 'str_replace_based_edit_tool',
    input: { command, path },
  });
  const computer = (input: object, type = 'computer_20250124') => ({ type, name: 'computer', input });

  it.each<[string, string, boolean]>([
    ['/home/agent/private/**', '/home/agent/private', true],
    ['/home/agent/private/**', '/home/agent/private/', true],
    ['/home/agent/private/**', '/home/agent//x/../private/./a/b', true],
    ['/home/agent/private', '/home/agent/private/', true],
    ['/home/agent/private/**', '/home/agent/PRIVATE/a', true],
    ['/home/agent/private/**', '/home/agent/private2', false],
    ['**/*.env', '/home/agent/a/.env', true],
    ['**/*.env', '/home/agent/a/.envrc', false],
    ['/home/*/x', '/home/a/b/x', false],
    ['/a(b).c', '/a(b).c', true],
    ['/a(b).c', '/abxc', false],
  ])('of the path %s: %s is %s', (path, given, holds) => {
    expect(decide([{ match: { path }, decision: 'deny' }], at(given))).toBe(holds ? 'deny' : undefined);
  });

  it('name tools and actions of every generation alike', () => {
    const rules: PolicyRule[] = [{ match: { tool: 'computer', action: ['type', 'key'] }, decision: 'ask' }];
    for (const type of ['computer_20241022', 'computer_20250124', 'computer_20251124'])
      expect(decide(rules, computer({ action: 'type', text: 'x' }, type))).toBe('ask');
    const member = {
      type: 'computer_toolset_20260801',
      name: 'type',
      input: { text: 'x', action: 'screenshot' },
    };
    expect(decide(rules, member)).toBe('ask');
    expect(decide(rules, computer({ action: 'screenshot' }))).toBeUndefined();
    expect(decide(rules, { ...bash('x'), type: 'custom' })).toBeUndefined();
    const editor: PolicyRule[] = [{ match: { tool: 'editor', action: 'create' }, decision: 'deny' }];
    expect(decide(editor, at('/x', 'create'))).toBe('deny');
    expect(decide(editor, at('/x'))).toBeUndefined();
    expect(
      decide([{ match: { action: 'restart' }, decision: 'deny' }], { ...bash(''), input: { restart: true } }),
    ).toBe('deny');
  });

  it('look at what is typed and written, and at the window it goes to', () => {
    const secret: PolicyRule[] = [{ match: { text: 'pass(word|phrase)' }, decision: 'deny' }];
    expect(decide(secret, computer({ action: 'type', text: 'my\nPassPhrase' }))).toBe('deny');
    expect(decide(secret, computer({ action: 'key', text: 'passphrase' }))).toBeUndefined();
    expect(
      decide(secret, {
        ...at('/x', 'create'),
        input: { command: 'create', path: '/x', file_text: 'password' },
      }),
    ).toBe('deny');
    const bank: PolicyRule[] = [
      { match: { tool: 'computer', action: 'screenshot' }, decision: 'allow' },
      { match: { window_title: 'bank' }, decision: 'deny' },
    ];
    expect(decide(bank, computer({ action: 'left_click' }), 'My BANK - Browser')).toBe('deny');
    expect(decide(bank, computer({ action: 'screenshot' }), 'My BANK - Browser')).toBe('allow');
    expect(decide(bank, computer({ action: 'left_click' }), 'Notes')).toBeUndefined();
    expect(decide(bank, computer({ action: 'left_click' }))).toBeUndefined();
    expect(decide(bank, bash('ls'), 'bank')).toBeUndefined();
  });

  it('decide by the first that matches; of several policies the strictest stands', async () => {
    const allow: PolicyRule = { match: { tool: 'bash' }, decision: 'allow', name: 'free' };
    const deny: PolicyRule = { match: {}, decision: 'deny', message: 'no' };
    const ask: PolicyRule = { match: { command: 'ls' }, decision: 'ask' };
    expect(decide([allow, deny], bash('ls'))).toBe('allow');
    expect(decide([ask, allow], bash('ls'))).toBe('ask');
    const said = await evaluatePolicies(
      [
        { source: 'server', policy: { rules: [ask, deny] } },
        { source: 'agent', policy: { rules: [allow] } },
        { source: 'session', policy: { rules: [{ ...ask, match: { tool: 'editor' } }, deny] } },
      ],
      factsOf(bash('ls')),
      null,
    );
    expect(said).toEqual({ decision: 'deny', source: 'session', rule: '2', message: 'no' });
  });

  it.each<[object, string]>([
    [{ rules: [{ match: { command: '(' }, decision: 'deny' }] }, 'a `(` without its `)`'],
    [{ rules: [{ match: { command: '(?=x)' }, decision: 'deny' }] }, '`(?` that is not `(?:`'],
    [{ rules: [{ match: { command: '(a)\\1' }, decision: 'deny' }] }, '\\1'],
    [{ rules: [{ match: { command: '(((a{100}){100}){100}){100}' }, decision: 'deny' }] }, '1000 steps'],
    [{ rules: [{ match: { path: 'x' }, decision: 'deny' }] }, 'begins with'],
    [{ rules: [{ match: { tool: 'bash_20241022' }, decision: 'deny' }] }, 'tool'],
    [{ rules: [{ match: { where: 'x' }, decision: 'deny' }] }, 'where'],
    [{ rules: [{ match: {}, decision: 'maybe' }] }, 'decision'],
  ])('%j is refused', (policy, message) => {
    const parsed = actionPolicy.safeParse(policy);
    expect(JSON.stringify(parsed.error?.issues)).toContain(JSON.stringify(message).slice(1, -1));
  });
});

describe('a pattern', () => {
  const matches = (source: string, text: string, options: MatchOptions): boolean | null =>
    atOnce(compilePattern(source).search(text, options, new Effort(Infinity)));
  const piece = fc.constantFrom(
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    '\\w',
    '\\s',
    'a*',
    'b+',
    'a?',
    '(a|b)',
    '(ab)*',
    'a{1,3}',
    '^',
    '$',
    '\\b',
    '\\B',
    '(?:b|)',
  );
  it('matches where the language of regular expressions says so', () => {
    assertProperty(
      3000,
      fc.array(piece, { maxLength: 6 }),
      fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'A'), maxLength: 12 }),
      fc.boolean(),
      fc.boolean(),
      (pieces, text, whole, exactCase) => {
        const source = pieces.join('');
        const flags = `mu${exactCase ? '' : 'i'}s`;
        const oracle = whole ? new RegExp(`(?<![^])(?:${source})(?![^])`, flags) : new RegExp(source, flags);
        const given = matches(source, text, { whole, exactCase, dotAll: true });
        expect([source, text, given]).toEqual([source, text, oracle.test(text)]);
      },
    );
  });

  it('takes time in proportion to the text, where others take for ever', () => {
    const options = { whole: false, exactCase: false, dotAll: true };
    expect(matches('(a*)*(a|aa)+(.*)*$x', 'a'.repeat(5000), options)).toBe(false);
  });
});
