import {
  errorBody,
  json,
  message,
  reply as answerWith,
  startUpstream,
  type Block,
  type Handler,
} from '../support/anthropic-upstream.ts';
import { openedForAll } from '../support/opened.ts';
import { productBehind } from '../support/product.ts';
import { replaySessions } from '../support/replay.ts';
import { events, idle, resultTexts, say, until } from './support.ts';
import { toolUse, fromUser } from '../support/blocks.ts';

const upstream = openedForAll(startUpstream);
const product = productBehind(upstream);

/** A reply of the model with these blocks. */
const reply = (stop_reason: string, ...content: Block[]): Handler =>
  answerWith(
    message(content, {
      id: `msg_${upstream.seen.length}`,
      stop_reason,
      usage: {
        input_tokens: 10,
        output_tokens: 5,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
    }),
  );
const text = (words: string): Block => ({ type: 'text', text: words });
const bash = (id: string, command: string): Block => toolUse(id, 'bash', { command });

/** Answers one after the other; the last one stays. */
const inTurn = (...handlers: Handler[]): void => {
  upstream.seen.length = 0;
  upstream.answer = (request, response) =>
    handlers[Math.min(upstream.seen.length, handlers.length) - 1]?.(request, response);
};

const session = async (): Promise<string> => {
  const { client } = product;
  const tools = [{ type: 'bash_20241022', name: 'bash' }];
  const agent = await client.beta.agents.create({
    name: 'upstream',
    model: 'claude-test',
    tools: tools as never,
  });
  const environment = await client.beta.environments.create({ name: agent.id });
  return (await client.beta.sessions.create({ agent: agent.id, environment_id: environment.id })).id;
};

test('rate limits, overloads and cut streams are durable waits, over a kill -9 too', async () => {
  inTurn(
    json(429, errorBody('rate_limit_error', 'slow down'), { 'retry-after': '6' }),
    json(529, errorBody('overloaded_error', 'Overloaded')),
    // Half a reply is none: neither its text nor its tool use counts.
    answerWith(message([text('Half.'), bash('toolu_0', 'echo never')]), { cutAfter: 8 }),
    reply('tool_use', text('Looking.'), bash('toolu_1', 'echo seen')),
    reply('end_turn', text('Done.')),
  );
  const id = await session();
  await say(product.client, id, 'Look around.');
  const waiting = await until(
    product,
    id,
    'the first wait',
    (log) => log.at(-1)?.type === 'session.status_rescheduled',
  );
  expect(waiting.find((event) => event.type === 'session.error')).toMatchObject({
    error: { type: 'model_rate_limited_error', message: 'slow down', retry_status: { type: 'retrying' } },
  });
  expect((await product.client.beta.sessions.retrieve(id)).status).toBe('rescheduling');
  await product.kill();
  await product.start();
  expect(await idle(product, id)).toBe('end_turn');
  const log = await events(product.client, id);
  expect(resultTexts(log)).toEqual(['seen']);
  expect(log.filter((event) => event.type === 'session.status_rescheduled')).toHaveLength(3);
  expect(upstream.seen).toHaveLength(5);
  const { usage } = await product.client.beta.sessions.retrieve(id);
  expect(usage).toMatchObject({ input_tokens: 20, output_tokens: 10 });
}, 360_000);

test('an interrupt ends the turn at once, however long the provider has asked to wait', async () => {
  inTurn(
    json(429, errorBody('rate_limit_error', 'come back in an hour'), { 'retry-after': '3600' }),
    reply('end_turn', text('Here again.')),
  );
  const id = await session();
  await say(product.client, id, 'Look around.');
  await until(product, id, 'the wait', (log) => log.at(-1)?.type === 'session.status_rescheduled');
  await product.client.beta.sessions.events.send(id, { events: [{ type: 'user.interrupt' }] });
  expect(await idle(product, id)).toBe('end_turn');
  expect(upstream.seen).toHaveLength(1);
  await say(product.client, id, 'Now?');
  await until(product, id, 'the answer', (log) => JSON.stringify(log).includes('Here again.'));
}, 360_000);

test('the model is shown its own tool use and the result, and the seed’s tool definition', async () => {
  inTurn(reply('tool_use', bash('toolu_9', 'echo shown')), reply('end_turn', text('Done.')));
  const id = await session();
  await say(product.client, id, 'Show me.');
  expect(await idle(product, id)).toBe('end_turn');
  const [, second] = upstream.seen;
  expect(second?.headers).toMatchObject({
    authorization: 'Bearer sk-test-upstream',
    'anthropic-beta': 'computer-use-2024-10-22',
  });
  expect(second?.body).toMatchObject({
    tools: [{ type: 'bash_20241022', name: 'bash' }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Show me.' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_9' }] },
      fromUser([{ type: 'tool_result', tool_use_id: 'toolu_9', content: [{ type: 'text', text: 'shown' }] }]),
    ],
  });
}, 360_000);

test('a refusal fails the session; the next message resumes it', async () => {
  inTurn(json(400, errorBody('invalid_request_error', 'prompt is too long')));
  const id = await session();
  await say(product.client, id, 'Try.');
  expect(await idle(product, id)).toBe('retries_exhausted');
  expect(
    (await events(product.client, id)).findLast((event) => event.type === 'session.error'),
  ).toMatchObject({
    error: {
      type: 'model_request_failed_error',
      message: 'prompt is too long',
      retry_status: { type: 'exhausted' },
    },
  });
  inTurn(reply('end_turn', text('Now it works.')));
  await say(product.client, id, 'Again.');
  await until(product, id, 'the answer', (log) => log.some((event) => event.type === 'agent.message'));
  expect(await idle(product, id)).toBe('end_turn');
}, 360_000);

test('a limit on turns ends the turn and says so', async () => {
  inTurn(...Array.from({ length: 9 }, (_, n) => reply('tool_use', bash(`toolu_limit_${n}`, `echo ${n}`))));
  const id = await session();
  await product.client.beta.sessions.update(id, { limits: { max_turns: 3, max_tokens: null } } as never);
  await say(product.client, id, 'Go on for ever.');
  expect(await idle(product, id)).toBe('budget_reached');
  expect(resultTexts(await events(product.client, id))).toEqual(['0', '1', '2']);
}, 360_000);

test('every workflow history that these sessions made replays', async () => {
  expect(await replaySessions(product)).toBeGreaterThanOrEqual(4);
}, 360_000);
