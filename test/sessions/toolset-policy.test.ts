import { factsOf } from '../../sessions/policy/action-facts.ts';
import { actionPolicy, type PolicyRule, type RuleMatch } from '../../sessions/policy/action-policy.ts';
import { evaluatePolicies } from '../../sessions/policy/evaluate.ts';

type Use = readonly [name: string, input: object];

async function decide(rules: readonly PolicyRule[], [name, input]: Use): Promise<string | undefined> {
  const facts = factsOf({ type: 'agent_toolset_20260401', name, input });
  return (await evaluatePolicies([{ source: 'agent', policy: { rules } }], facts, null))?.decision;
}

const read = (file_path: string): Use => ['read', { file_path }];
const write = (file_path: string, content = 'x'): Use => ['write', { file_path, content }];
const edit = (file_path: string, new_string = 'x'): Use => [
  'edit',
  { file_path, old_string: 'a', new_string },
];
const glob = (pattern: string, path?: string): Use => ['glob', { pattern, path }];
const grep = (path?: string): Use => ['grep', { pattern: 'x', path }];
const fetched = (url: string): Use => ['web_fetch', { url }];

describe('a rule that denies', () => {
  it.each<[RuleMatch, Use]>([
    [{ path: '/etc/**' }, read('/etc/passwd')],
    [{ path: '/etc/**' }, read('../../etc//./passwd')],
    [{ tool: 'editor' }, read('/x')],
    [{ tool: 'editor', action: 'read' }, read('/x')],
    [{ tool: 'editor', action: 'view' }, read('/x')],
    [{ action: ['create', 'str_replace'] }, write('/x')],
    [{ action: ['create', 'str_replace'] }, edit('/x')],
    [{ action: 'write' }, write('/x')],
    [{ path: '/home/agent/private/**' }, write('private/a')],
    [{ text: 'password' }, write('/x', 'the PASSWORD')],
    [{ text: 'password' }, edit('/x', 'password')],
    [{ path: '/home/agent/private/**' }, glob('private/*')],
    [{ path: '/home/agent/private/**' }, glob('*', 'private')],
    [{ path: '/etc/**' }, glob('/etc/*.conf')],
    [{ path: '/home/agent/private/**' }, grep('private/deep')],
    // Everything below the folder is searched too.
    [{ path: '/home/agent/private/**' }, grep()],
    [{ path: '/home/agent/private/**' }, grep('/')],
    [{ path: '**/.env' }, grep('/srv/app')],
    [{ path: '/home/agent/*.key' }, grep('/home/agent')],
    [{ action: 'view', path: '/etc/shadow' }, grep('/etc')],
    [{ tool: 'bash' }, ['bash', { restart: true }]],
    [{ command: '^rm' }, ['bash', { command: 'rm x' }]],
    // A restart may come with a command.
    [{ command: '^rm' }, ['bash', { command: 'rm x', restart: true }]],
    [{ action: 'restart' }, ['bash', { command: 'ls', restart: true }]],
    [{ tool: 'web' }, fetched('https://example.com/')],
    [{ host: 'example.com' }, fetched('https://EXAMPLE.com./a')],
    [{ host: '*.example.com' }, fetched('https://a.b.example.com:8443/')],
    [{ host: 'bücher.example' }, fetched('https://xn--bcher-kva.example/')],
    [{ url: '/admin' }, fetched('http://example.com/x/../ADMIN?y')],
    [{}, fetched('no address')],
  ])('%j holds for %j', async (match, use) => {
    actionPolicy.parse({ rules: [{ match, decision: 'deny' }] });
    expect(await decide([{ match, decision: 'deny' }], use)).toBe('deny');
  });

  it.each<[RuleMatch, Use]>([
    [{ path: '/etc/**' }, read('/home/agent/etc')],
    [{ action: 'write' }, edit('/x')],
    [{ path: '/home/agent/*.key' }, grep('/home/agent/a.txt')],
    [{ path: '/home/agent/private/**' }, grep('public')],
    [{ path: '/home/agent/private/**' }, glob('public/*')],
    [{ tool: 'web' }, ['bash', { command: 'curl https://example.com' }]],
    [{ host: 'example.com' }, fetched('https://a.example.com/')],
    [{ host: '*.example.com' }, fetched('https://example.com/')],
    [{ host: 'example.com' }, read('/x')],
    [{ command: 'x' }, read('/x')],
  ])('%j leaves %j alone', async (match, use) => {
    expect(await decide([{ match, decision: 'deny' }], use)).toBeUndefined();
  });
});

describe('a rule that allows', () => {
  it.each<[RuleMatch, Use, string | undefined]>([
    [{ path: '/home/agent/**' }, read('a/b'), 'allow'],
    [{ path: '/home/agent/**' }, grep('a'), 'allow'],
    [{ path: '/home/agent/*' }, grep('a'), undefined],
    [{ path: '/home/agent/**' }, grep('/home'), undefined],
    [{ action: 'create' }, write('/x'), undefined],
    [{ action: 'write' }, write('/x'), 'allow'],
    [{ command: 'ls' }, ['bash', { command: 'ls' }], 'allow'],
    [{ command: 'ls' }, ['bash', { command: 'ls', restart: true }], undefined],
    [{ url: 'https://example\\.com/.*' }, fetched('https://example.com/a'), 'allow'],
    [{ url: 'https://example\\.com/.*' }, fetched('http://evil/?https://example.com/a'), undefined],
  ])('%j says of %j: %s', async (match, use, decision) => {
    expect(await decide([{ match, decision: 'allow' }], use)).toBe(decision);
  });
});

it.each([{ host: 'https://example.com' }, { host: 'a b' }, { host: '*' }, { url: '(' }, { tool: 'browser' }])(
  '%j is refused',
  (match) => {
    expect(actionPolicy.safeParse({ rules: [{ match, decision: 'deny' }] }).success).toBe(false);
  },
);
