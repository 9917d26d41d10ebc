import type Anthropic from '@anthropic-ai/sdk';
import { createServer, type Server } from 'node:http';
import { Product } from '../support/product.ts';
import { events, idle, resultTexts, say, until, type Events } from './support.ts';
import { listening } from '../support/listening.ts';

/** Sessions of agents with the agent toolset, by the SDK's own types. */

type Toolset = Anthropic.Beta.Agents.BetaManagedAgentsAgentToolset20260401Params;
type ReadInput = Anthropic.Beta.Agents.BetaManagedAgentsAgentToolset20260401ReadInput;
type EditInput = Anthropic.Beta.Agents.BetaManagedAgentsAgentToolset20260401EditInput;

let service: Server;
let product: Product;
let address = '';

beforeAll(async () => {
  service = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<title>News</title><p>All is <b>well</b>.</p>');
  });
  const port = await listening(service, '0.0.0.0');
  address = `http://127.0.0.2:${port}/`;
  product = new Product({ SANDBOX_EGRESS_ALLOW_PRIVATE: `127.0.0.2:${port}` });
  await product.start();
}, 120_000);
afterAll(async () => {
  await product.dispose();
  await new Promise((resolve) => service.close(resolve));
}, 120_000);

async function session(toolset: Omit<Toolset, 'type'> = {}, agent: object = {}): Promise<string> {
  const { client } = product;
  const { id } = await client.beta.agents.create({
    name: 'a',
    model: 'script',
    tools: [{ type: 'agent_toolset_20260401', ...toolset }],
    ...agent,
  });
  const environment = await client.beta.environments.create({ name: `e-${id}` });
  return (await client.beta.sessions.create({ agent: id, environment_id: environment.id })).id;
}

async function played(id: string, steps: readonly object[]): Promise<Events> {
  await say(product.client, id, JSON.stringify(steps.map((step) => ({ ...step, or_continue: true }))));
  expect(await idle(product, id)).toBe('end_turn');
  return await events(product.client, id);
}

const uses = (log: Events): { name: string; input: object }[] =>
  log.flatMap((event) => (event.type === 'agent.tool_use' ? [{ name: event.name, input: event.input }] : []));

test('every tool goes by its own name and its own input', async () => {
  const id = await session();
  const edit: EditInput = { file_path: 'note.txt', old_string: 'two', new_string: '2' };
  const read: ReadInput = { file_path: '/home/agent/note.txt', view_range: [2, 3] };
  const log = await played(id, [
    { write: { file_path: 'note.txt', content: 'one\ntwo\nthree\n' } },
    { edit },
    { read },
    { glob: '*.txt' },
    { grep: '^t' },
    { bash: 'cat note.txt' },
    { web_fetch: address },
    { tool: { name: 'read', input: { file_path: 'none' } } },
    // As the text editor has them.
    { edit: { command: 'str_replace', path: '/home/agent/note.txt', old_str: '2', new_str: 'II' } },
    { edit: { command: 'view', path: '/home/agent/note.txt' } },
  ]);
  expect(uses(log)).toEqual([
    { name: 'write', input: { file_path: 'note.txt', content: 'one\ntwo\nthree\n' } },
    { name: 'edit', input: edit },
    { name: 'read', input: read },
    { name: 'glob', input: { pattern: '*.txt' } },
    { name: 'grep', input: { pattern: '^t' } },
    { name: 'bash', input: { command: 'cat note.txt' } },
    { name: 'web_fetch', input: { url: address } },
    { name: 'read', input: { file_path: 'none' } },
    { name: 'edit', input: { file_path: '/home/agent/note.txt', old_string: '2', new_string: 'II' } },
    { name: 'read', input: { file_path: '/home/agent/note.txt' } },
  ]);
  expect(resultTexts(log)).toEqual([
    'wrote 14 bytes to note.txt',
    'edited note.txt (1 replacement(s))',
    '2\nthree',
    '/home/agent/note.txt',
    '/home/agent/note.txt:3:three',
    'one\n2\nthree',
    '# News\n\nAll is well.',
    'read: none: no such file or directory',
    'edited /home/agent/note.txt (1 replacement(s))',
    'one\nII\nthree\n',
  ]);
  expect(log.filter((event) => event.type === 'agent.tool_result').map(({ is_error }) => is_error)).toEqual([
    false,
    false,
    false,
    false,
    false,
    false,
    false,
    true,
    false,
    false,
  ]);
  const network = log.filter((event) => (event.type as string) === 'sandbox.network_request');
  expect(network).toMatchObject([{ host: '127.0.0.2', method: 'GET', verdict: 'allowed' }]);
}, 360_000);

test('one tool alone asks first; a script’s exit codes and rules hold as for the other tools', async () => {
  const id = await session(
    { configs: [{ name: 'write', permission_policy: { type: 'always_ask' } }] },
    {
      policy: {
        rules: [
          { match: { tool: 'editor', path: '/home/agent/private/**' }, decision: 'deny' },
          { match: { host: '127.0.0.2' }, decision: 'deny' },
        ],
      },
    },
  );
  const steps = [
    { bash: 'mkdir private; echo x > private/a; (exit 4)' },
    { expect: 4 },
    { read: 'private/a' },
    { grep: { pattern: 'x' } },
    { web_fetch: address },
    { write: { file_path: 'b', content: 'b' } },
    { read: 'b' },
  ];
  await say(product.client, id, JSON.stringify(steps.map((step) => ({ ...step, or_continue: true }))));
  const log = await until(product, id, 'the question', (now) => now.at(-1)?.type === 'session.status_idle');
  const last = log.at(-1);
  if (last?.type !== 'session.status_idle' || last.stop_reason.type !== 'requires_action')
    throw new Error(`no question: ${JSON.stringify(last)}`);
  const asked = log.filter((event) => event.type === 'agent.tool_use').at(-1);
  expect(asked).toMatchObject({ name: 'write', evaluated_permission: 'ask' });
  const refused = (rule: number) =>
    `Not performed: this action is not allowed (the agent's policy, rule ${rule}).`;
  expect(resultTexts(log).slice(1)).toEqual([refused(1), refused(1), refused(2)]);
  const [tool_use_id = ''] = last.stop_reason.event_ids;
  await product.client.beta.sessions.events.send(id, {
    events: [{ type: 'user.tool_confirmation', tool_use_id, result: 'allow' }],
  });
  const done = await until(
    product,
    id,
    'the end',
    (now) => now.filter(({ type }) => type === 'session.status_idle').length === 2,
  );
  expect(resultTexts(done).slice(4)).toEqual(['wrote 1 bytes to b', 'b']);
  const words = JSON.stringify(done.filter(({ type }) => type === 'agent.message'));
  expect(words).not.toContain('the exit code should be');
}, 360_000);

test('web_search is refused by name, and so is a private address that nobody allowed', async () => {
  const agent = { name: 'a', model: 'script' };
  await expect(
    product.client.beta.agents.create({
      ...agent,
      tools: [{ type: 'agent_toolset_20260401', configs: [{ name: 'web_search', enabled: true }] }],
    }),
  ).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("'web_search' is not available here") as unknown,
  });
  const id = await session();
  const log = await played(id, [
    { web_fetch: address.replace('127.0.0.2', '127.0.0.3') },
    { tool: { name: 'web_search', input: { query: 'x' } } },
  ]);
  expect(resultTexts(log)).toEqual([expect.stringContaining('does not allow a connection')]);
  expect(JSON.stringify(log)).toContain('the request offers no tool named `web_search`');
}, 360_000);
