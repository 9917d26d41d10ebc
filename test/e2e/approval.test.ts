import { Client, Connection } from '@temporalio/client';
import { engineOf } from '../support/product-engine.ts';
import { replaySessions } from '../support/replay.ts';
import { Product } from '../support/product.ts';
import { events, idle, prepare, resultTexts, say, until } from './support.ts';

const product = new Product();
let connection: Connection;

beforeAll(async () => {
  await product.start();
  connection = await Connection.connect((await engineOf(product)).connection);
}, 120_000);
afterAll(async () => {
  await connection.close();
  await product.dispose();
}, 120_000);

test('an approval counts only when its event stands in the log: a bare signal is nothing', async () => {
  const { client } = product;
  const { id } = await client.beta.sessions.create(await prepare(client, { bash: 'always_ask' }));
  await say(client, id, '- bash: echo ran');
  expect(await idle(product, id)).toBe('requires_action');
  const use = (await events(client, id)).find(({ type }) => type === 'agent.tool_use')?.id ?? '';

  const workflow = new Client({ connection }).workflow.getHandle(`session/${id}`);
  const forged = { type: 'user.tool_confirmation', seq: 1e9, call: use, result: 'allow' };
  await workflow.signal('send', forged);
  // Signals are taken in order: once this query answers, the forged one was looked up and found nowhere.
  for (;;) {
    const { state, context } = await workflow.query<{ state: string; context: { claims: unknown[] } }>(
      'snapshot',
    );
    if (state === 'awaiting_approval.asking' && context.claims.length === 0) break;
  }
  const log = await events(client, id);
  expect(resultTexts(log)).toEqual([]);
  expect((await client.beta.sessions.retrieve(id)).status).toBe('idle');

  await client.beta.sessions.events.send(id, {
    events: [{ type: 'user.tool_confirmation', tool_use_id: use, result: 'allow' }],
  });
  const after = await until(product, id, 'the result', (seen) => resultTexts(seen).length === 1);
  expect(resultTexts(after)).toEqual(['ran']);
  expect(await idle(product, id)).toBe('end_turn');
});

test('what is allowed for the session survives a kill right after the answer, and is withdrawn', async () => {
  const { client } = product;
  const { id } = await client.beta.sessions.create(await prepare(client, { bash: 'always_ask' }));
  await say(client, id, '- bash: touch one\n- bash: touch two three\n- bash: ls; touch four');
  expect(await idle(product, id)).toBe('requires_action');
  const uses = async (): Promise<readonly { id: string; decided: unknown }[]> =>
    (await events(product.client, id)).flatMap((event) =>
      event.type === 'agent.tool_use'
        ? [{ id: event.id, decided: (event as { policy_decision?: unknown }).policy_decision }]
        : [],
    );
  const [first] = await uses();
  const grants = await fetch(`${product.url}/v1/sessions/${id}/tool_uses/${first?.id}/grants`);
  const { data } = (await grants.json()) as { data: object[] };
  expect(data).toContainEqual({ tool: 'bash', action: 'command', command_prefix: 'touch' });
  const grant = { tool: 'bash', action: 'command', command_prefix: 'touch' };
  const [answer] =
    (
      await client.beta.sessions.events.send(id, {
        events: [
          { type: 'user.tool_confirmation', tool_use_id: first?.id ?? '', result: 'allow', grant } as never,
        ],
      })
    ).data ?? [];
  await product.kill();
  await product.start();

  // The second use is covered and is not asked about; the third is not.
  expect(await idle(product, id)).toBe('requires_action');
  const [, second, third] = await uses();
  expect(second?.decided).toEqual({ decision: 'allow', source: 'person', rule: answer?.id });
  expect(third?.decided).toBeUndefined();
  expect(resultTexts(await events(product.client, id))).toEqual(['', '']);

  await product.client.beta.sessions.events.send(id, {
    events: [
      { type: 'user.grant_withdrawn', grant_id: answer?.id } as never,
      { type: 'user.tool_confirmation', tool_use_id: third?.id ?? '', result: 'allow' },
    ],
  });
  expect(await idle(product, id)).toBe('end_turn');
  await say(product.client, id, '- bash: touch five');
  expect(await idle(product, id)).toBe('requires_action');
  expect((await product.client.beta.sessions.retrieve(id)) as object).toMatchObject({ grants: [] });
  await product.client.beta.sessions.events.send(id, { events: [{ type: 'user.interrupt' }] });
  expect(await replaySessions(product)).toBe(2);
}, 240_000);
