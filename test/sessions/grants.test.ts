import { append, createSessions, factsOf, type Grant, performGuarded } from '../../sessions/index.ts';
import { decideUses } from '../../sessions/agents/permissions.ts';
import type { ActionPolicy } from '../../sessions/policy/action-policy.ts';
import { covers } from '../../sessions/policy/grant.ts';
import { grantChoices } from '../../sessions/policy/grant-choices.ts';
import { temporaryStores } from '../store/temporary-store.ts';

/** What a person allows for the rest of a session: exactly that, for as long as it is held. */

const stores = temporaryStores();

/** The message with which a promise rejects. */
const rejection = (refused: Promise<unknown>): Promise<string> =>
  refused.then(
    () => 'nothing was refused',
    (error: unknown) => (error as Error).message,
  );

const bash = (command: string) => factsOf({ type: 'bash_20250124', name: 'bash', input: { command } });
const edit = (command: string, path: string) =>
  factsOf({ type: 'text_editor_20250728', name: 'e', input: { command, path } });
const fetched = (url: string) =>
  factsOf({ type: 'agent_toolset_20260401', name: 'web_fetch', input: { url } });
const computer = (action: string) =>
  factsOf({ type: 'computer_20250124', name: 'computer', input: { action } });
const prefix = (command_prefix: string): Grant => ({ tool: 'bash', action: 'command', command_prefix });

test.each<[string, ReturnType<typeof bash>, readonly object[]]>([
  [
    'git push origin',
    bash('git push origin'),
    [{ commands: ['git push origin'] }, { command_prefix: 'git push' }, { command_prefix: 'git' }],
  ],
  ['ls -l', bash('ls  -l'), [{ commands: ['ls -l'] }, { command_prefix: 'ls' }]],
  ['two commands', bash('cd a && npm test'), [{ commands: ['cd a', 'npm test'] }]],
  ['sudo', bash('sudo apt install x'), [{ commands: ['sudo apt install x'] }]],
  ['an interpreter', bash('python3 -c "import os"'), [{ commands: ['python3 -c import os'] }]],
  ['a redirect', bash('echo a > b'), [{ commands: ['echo a > b'] }]],
  ['a long command', bash(`echo ${'x'.repeat(600)}`), [{ command_prefix: 'echo' }]],
  [
    'a file',
    edit('create', '/home/agent/a/b.txt'),
    [{ path: '/home/agent/a/b.txt' }, { path: '/home/agent/a/**' }],
  ],
  [
    'a page',
    fetched('https://docs.example.com/a?b'),
    [{ tool: 'web', action: 'web_fetch', host: 'docs.example.com' }],
  ],
  ['a click', computer('left_click'), [{ tool: 'computer', action: 'left_click' }]],
  ['no command', factsOf({ type: 'bash_20250124', name: 'bash', input: {} }), []],
  ['a tool of the client', factsOf({ type: 'custom', name: 'weather', input: {} }), []],
])('what is offered beside %s is narrow and covers it', async (_, facts, expected) => {
  const choices = await grantChoices(facts);
  expect(choices).toMatchObject(expected);
  expect(choices).toHaveLength(expected.length);
  for (const choice of choices) expect(await covers(choice, facts)).toBe(true);
});

test.each([
  ['git push', true],
  ['git push --tags origin', true],
  ['git push; git push x', true],
  ['git pushy', false],
  ['GIT PUSH', false],
  ['git push; rm -rf x', false],
  ['git push $(rm x)', false],
  ['git push `rm x`', false],
  ['git push <(rm x)', false],
  ['git push > /etc/passwd', false],
  ['git push\nrm x', false],
  ['A=1 git push', false],
  ['sudo git push', false],
])('a grant of commands that begin with “git push” and %j: %s', async (command, allowed) => {
  expect(await covers(prefix('git push'), bash(command))).toBe(allowed);
});

test.each([
  [{ tool: 'bash', action: 'command', commands: ['a.b'] }, bash('a.b'), bash('axb')],
  [
    { tool: 'bash', action: 'restart' },
    factsOf({ type: 'bash_20250124', name: 'b', input: { restart: true } }),
    bash('ls'),
  ],
  [{ tool: 'editor', action: 'view', path: '/a/**' }, edit('view', '/a/b/c'), edit('create', '/a/b')],
  [
    { tool: 'web', action: 'web_fetch', host: 'a.org' },
    fetched('http://a.org/x'),
    fetched('http://b.a.org/x'),
  ],
  [{ tool: 'computer', action: 'key' }, computer('key'), computer('type')],
] as const)('the grant %j covers its like and no other', async (grant, like, other) => {
  expect(await covers(grant as Grant, like)).toBe(true);
  expect(await covers(grant as Grant, other)).toBe(false);
});

const held = (grant: Grant) => ({ id: 'sevt_1', tool_use_id: 'sevt_0', granted_at: '', grant });

test('a grant answers what is asked, by a rule or by the tool, and loosens nothing that is denied', async () => {
  const tools = await toolsOf([
    { type: 'bash_20250124', name: 'bash', permission_policy: { type: 'always_ask' } },
  ]);
  const uses = ['git push', 'git push; rm x', 'git pull'].map((command) => ({
    name: 'bash',
    input: { command },
  }));
  const decide = async (rules: ActionPolicy['rules']) => {
    const policies = [{ source: 'agent', policy: { rules } } as const];
    const decided = await decideUses(tools, uses, { policies, grants: [held(prefix('git push'))] }, null);
    return uses.map((use) => decided.get(use));
  };
  const granted = { decision: 'allow', source: 'person', rule: 'sevt_1' };
  expect(await decide([])).toEqual([granted, undefined, undefined]);
  expect(await decide([{ match: { command: 'git' }, decision: 'ask' }])).toMatchObject([
    granted,
    { decision: 'ask', source: 'agent' },
    { decision: 'ask', source: 'agent' },
  ]);
  expect(await decide([{ match: { command: 'push' }, decision: 'deny' }])).toMatchObject([
    { decision: 'deny' },
    { decision: 'deny' },
    undefined,
  ]);
});

test('what a grant let through is performed only while it is held', async () => {
  const perform = async (grants: readonly ReturnType<typeof held>[]): Promise<unknown> =>
    await performGuarded(
      { windowTitle: async () => null, isKnown: async () => false, perform: async () => 'done' },
      {
        policies: [],
        facts: bash('git push'),
        confirmed: false,
        grants,
        granted: { decision: 'allow', source: 'person', rule: 'sevt_1' },
      },
    );
  expect(await perform([held(prefix('git push'))])).toEqual({ outcome: 'done' });
  expect(await perform([])).toEqual({ refused: { decision: 'ask', source: 'person', rule: 'sevt_1' } });
  expect(await perform([held(prefix('git pull'))])).toMatchObject({ refused: { decision: 'ask' } });
});

async function toolsOf(tools: unknown) {
  const sessions = createSessions({ store: await stores.open() });
  return (await sessions.agents.create({ name: 'a', model: 'm', tools })).tools;
}

test('a grant is taken with the approval that it covers, kept by the session, and withdrawn by its id', async () => {
  const store = await stores.open();
  const sessions = createSessions({ store });
  const tools = [{ type: 'bash_20250124', name: 'bash', permission_policy: { type: 'always_ask' } }];
  const agent = await sessions.agents.create({ name: 'a', model: 'm', tools });
  const { id } = await sessions.create({ agent: agent.id });
  const ask = async (command: string): Promise<string> => {
    const body = { name: 'bash', input: { command }, evaluated_permission: 'ask' } as const;
    const { events } = await append(store, {
      session: id,
      key: command,
      events: [{ type: 'agent.tool_use', body }],
    });
    return events[0]?.id ?? '';
  };
  const allow = (tool_use_id: string, grant: unknown, result = 'allow') =>
    sessions.events.send(id, { events: [{ type: 'user.tool_confirmation', tool_use_id, result, grant }] });
  const [push, pull] = [await ask('git push'), await ask('git pull')];

  const { data: choices } = await sessions.events.grantsFor(id, push);
  expect(choices).toEqual([
    { tool: 'bash', action: 'command', commands: ['git push'] },
    { tool: 'bash', action: 'command', command_prefix: 'git push' },
    { tool: 'bash', action: 'command', command_prefix: 'git' },
  ]);
  expect(await rejection(sessions.events.grantsFor(id, 'sevt_none'))).toMatch('Tool use not found');
  expect(await rejection(allow(pull, choices[1]))).toBe(
    'events.0.grant: It does not cover what this tool use does',
  );
  expect(await rejection(allow(push, choices[1], 'deny'))).toMatch("Only allowed when result is 'allow'");
  expect(await rejection(allow(push, { tool: 'bash', action: 'command' }))).toMatch('grant');
  expect((await sessions.retrieve(id)).grants).toBeUndefined();

  const { data: sent } = await allow(push, choices[1]);
  const grant_id = sent[0]?.id ?? '';
  expect(sent[0]).toMatchObject({ type: 'user.tool_confirmation', result: 'allow', grant: choices[1] });
  expect((await sessions.retrieve(id)).grants).toMatchObject([
    { id: grant_id, tool_use_id: push, grant: choices[1] },
  ]);
  const withdraw = (grant: string) =>
    sessions.events.send(id, { events: [{ type: 'user.grant_withdrawn', grant_id: grant }] });
  expect(await rejection(withdraw('sevt_none'))).toBe('events.0.grant_id: No grant sevt_none is held');
  await withdraw(grant_id);
  expect((await sessions.retrieve(id)).grants).toEqual([]);
  expect(await rejection(withdraw(grant_id))).toMatch('is held');
  expect(await sessions.verify(id)).toMatchObject({ ok: true });
});
