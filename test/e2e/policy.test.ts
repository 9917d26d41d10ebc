import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { productForAll } from '../support/product.ts';
import { events, idle, resultTexts, say, until, type Events } from './support.ts';
import { toolUse } from '../support/blocks.ts';
import { posted } from '../support/posted.ts';

const RULES = path.join(os.tmpdir(), `policy-${process.pid}.yaml`);
writeFileSync(RULES, 'rules: [{name: no-format, match: {command: mkfs}, decision: deny}]');
const product = productForAll({ POLICY: RULES });
afterAll(() => import('node:fs/promises').then(({ rm }) => rm(RULES)));

const TOOLS = [
  { type: 'computer_toolset_20260801' },
  { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
  { type: 'bash_20250124', name: 'bash' },
];

async function session(policy: object, own: object = {}): Promise<string> {
  const { client } = product;
  const agent = await client.beta.agents.create({
    name: 'a',
    model: 'script',
    tools: TOOLS,
    policy,
  } as never);
  const environment = await client.beta.environments.create({ name: `e-${agent.id}` });
  const given = { agent: agent.id, environment_id: environment.id, ...own };
  return (await client.beta.sessions.create(given)).id;
}

async function played(id: string, steps: readonly object[]): Promise<Events> {
  await say(product.client, id, JSON.stringify(steps.map((step) => ({ ...step, or_continue: true }))));
  expect(await idle(product, id)).toBe('end_turn');
  return await events(product.client, id);
}

const decisions = (log: Events): unknown[] =>
  log.flatMap((event) =>
    event.type === 'agent.tool_use' || event.type === 'agent.tool_result'
      ? ((event as { policy_decision?: unknown }).policy_decision ?? [])
      : [],
  );

test('rules of server, agent and session decide; what they deny is not done, and the log says by which rule', async () => {
  const id = await session(
    {
      rules: [
        { name: 'no-rm', match: { command: '^rm\\b' }, decision: 'deny', message: 'Use `trash`.' },
        { match: { path: '/home/agent/private/**' }, decision: 'deny' },
      ],
    },
    { policy: { rules: [{ match: { tool: 'computer', action: 'key' }, decision: 'deny' }] } },
  );
  const log = await played(id, [
    { bash: 'touch kept && mkdir private' },
    { bash: 'bash -c \'cd ~;\n  "r"m kept\'' },
    { bash: 'echo mkfs' },
    { edit: { command: 'create', path: '/home/agent/x/../private/a', file_text: 'x' } },
    { computer: { action: 'key', text: 'ctrl+w' } },
    { bash: 'ls . private' },
  ]);
  expect(resultTexts(log)).toEqual([
    '',
    'Not performed: this action is not allowed (the agent\'s policy, rule "no-rm"). Use `trash`.',
    'Not performed: this action is not allowed (the server\'s policy, rule "no-format").',
    "Not performed: this action is not allowed (the agent's policy, rule 2).",
    "Not performed: this action is not allowed (the session's policy, rule 1).",
    expect.stringMatching(/kept\nprivate\n\nprivate:$/),
  ]);
  expect(decisions(log)).toEqual([
    { decision: 'deny', source: 'agent', rule: 'no-rm', message: 'Use `trash`.' },
    { decision: 'deny', source: 'server', rule: 'no-format' },
    { decision: 'deny', source: 'agent', rule: '2' },
    { decision: 'deny', source: 'session', rule: '1' },
  ]);
  const denied = log.find(
    (event) => event.type === 'agent.tool_use' && event.evaluated_permission === 'deny',
  );
  expect(denied).toMatchObject({ evaluation: { type: 'auto', evaluated_permission: { type: 'deny' } } });
}, 360_000);

const WINDOW = (title: string): string =>
  `xterm -T '${title}' -e sleep 600 & xdotool search --sync --onlyvisible --name '^${title}$' windowactivate --sync`;

test('a rule by window holds when the action comes, also when the window came up after the reply', async () => {
  const id = await session({
    rules: [{ match: { tool: 'computer', window_title: 'bank' }, decision: 'deny' }],
  });
  const log = await played(id, [
    { bash: WINDOW('Notes') },
    { computer: { action: 'key', text: 'Right' } },
    // One reply: when it is judged the window is still the other one.
    { together: [{ bash: WINDOW('My Bank') }, { key: 'Right' }, { key: 'Left' }] },
    { computer: { action: 'type', text: 'x' } },
  ]);
  const texts = resultTexts(log).filter((text) => text !== '');
  expect(texts).toEqual([
    '<image>',
    "Not performed: this action is not allowed (the agent's policy, rule 1).",
    'Not executed: an earlier computer action in this turn failed.',
    "Not performed: this action is not allowed (the agent's policy, rule 1).",
  ]);
  expect(decisions(log)).toHaveLength(2);
}, 360_000);

test('a rule that asks makes a person decide', async () => {
  const id = await session({ rules: [{ match: { command: '^git push' }, decision: 'ask' }] });
  await say(product.client, id, JSON.stringify([{ bash: 'sudo git  push origin; echo pushed' }]));
  const log = await until(product, id, 'the question', (now) => now.at(-1)?.type === 'session.status_idle');
  const last = log.at(-1);
  if (last?.type !== 'session.status_idle' || last.stop_reason.type !== 'requires_action')
    throw new Error('no question');
  const [tool_use_id = ''] = last.stop_reason.event_ids;
  await product.client.beta.sessions.events.send(id, {
    events: [{ type: 'user.tool_confirmation', tool_use_id, result: 'allow' }],
  });
  const done = await until(product, id, 'the result', (now) => resultTexts(now).length === 1);
  expect(resultTexts(done)[0]).toContain('pushed');
  expect(await idle(product, id)).toBe('end_turn');
}, 360_000);

test('a sandbox of one’s own has its policy, where nobody can be asked', async () => {
  const post = async (route: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${product.url}${route}`, posted(body));
    return (await answer.json()) as Record<string, unknown>;
  };
  const policy = { rules: [{ match: { command: 'two' }, decision: 'ask' }] };
  const { id, policy: told } = await post('/v1/sandboxes', { policy });
  expect(told).toEqual(policy);
  const use = (name: string): object => toolUse(name, 'bash', { command: `echo ${name}` });
  const answer = await post(`/v1/sandboxes/${String(id)}/tool_results`, {
    tools: [{ type: 'bash_20250124', name: 'bash' }],
    content: [use('one'), use('two'), use('mkfs')],
  });
  expect(answer['content']).toMatchObject([
    { is_error: false, content: [{ text: 'one' }] },
    {
      is_error: true,
      content: "Not performed: a person has to allow this action first (the sandbox's policy, rule 1).",
    },
    { is_error: true, content: expect.stringContaining('no-format') as string },
  ]);
  await fetch(`${product.url}/v1/sandboxes/${String(id)}`, { method: 'DELETE' });
}, 360_000);
