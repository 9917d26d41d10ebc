import type Anthropic from '@anthropic-ai/sdk';
import { accumulateManagedAgentsEvent } from '@anthropic-ai/sdk/lib/sessions/accumulate.js';
import { eventsOf, message, startUpstream, stream } from '../support/anthropic-upstream.ts';
import { openedForAll } from '../support/opened.ts';
import { productBehind } from '../support/product.ts';
import { events, say } from './support.ts';

/** Replies shown while they are made, to the official client as its own example reads them. */

const upstream = openedForAll(startUpstream);
const product = productBehind(upstream);

type Streamed = Anthropic.Beta.Sessions.BetaManagedAgentsStreamSessionEvents;
type AgentMessage = Anthropic.Beta.Sessions.BetaManagedAgentsAgentMessageEvent;

const newSession = async (tools: object[] = []): Promise<string> => {
  const { client } = product;
  const agent = await client.beta.agents.create({
    name: 'deltas',
    model: 'claude-test',
    tools: tools as never,
  });
  const environment = await client.beta.environments.create({ name: agent.id });
  return (await client.beta.sessions.create({ agent: agent.id, environment_id: environment.id })).id;
};

/** A model whose reply waits at the event of this index until `open` is called. */
function gated(content: Parameters<typeof message>[0], at: number): () => void {
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  upstream.answer = stream(eventsOf(message(content)), {
    before: (index: number) => (index === at ? gate : undefined),
  });
  return () => open();
}

const POEM = 'Salt wind, restless tide. The moon pulls a silver thread. Shells remember rain.';

test('the SDK’s example puts the text together while the reply is made, under the id of its event', async () => {
  const open = gated([{ type: 'text', text: POEM }], 6);
  const id = await newSession();
  await say(product.client, id, 'Write a short haiku about the ocean.');
  const follow = await product.client.beta.sessions.events.stream(id, { event_deltas: ['agent.message'] });
  const previews = new Map<string, AgentMessage>();
  const partial: string[] = [];
  let previewed: string | undefined;
  let final: AgentMessage | undefined;
  for await (const event of follow as AsyncIterable<Streamed>) {
    const eventId =
      event.type === 'event_delta'
        ? event.event_id
        : 'event' in event
          ? event.event.id
          : 'id' in event
            ? event.id
            : null;
    const preview = accumulateManagedAgentsEvent(eventId === null ? undefined : previews.get(eventId), event);
    if (eventId !== null && preview !== undefined) previews.set(eventId, preview);
    if (event.type === 'event_delta') {
      previewed = event.event_id;
      partial.push(
        (preview?.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join(''),
      );
      // The rest is said only now: what came before it came while the reply was made.
      open();
    }
    if (event.type === 'agent.message') final = event;
    if (event.type === 'span.model_request_end') previews.clear();
    if (event.type === 'session.status_idle') break;
  }
  expect(partial[0]).toMatch(/^Salt wind/);
  expect(partial[0]?.length).toBeLessThan(POEM.length);
  for (const text of partial) expect(POEM.startsWith(text)).toBe(true);
  expect(final).toMatchObject({ id: previewed, content: [{ type: 'text', text: POEM }] });
  // Nothing of it is stored.
  const types = (await events(product.client, id)).map(({ type }) => String(type));
  expect(types.filter((type) => type.startsWith('event_'))).toEqual([]);
}, 360_000);

test('thinking and the input of a custom tool come in pieces where they are asked for', async () => {
  const content = [
    { type: 'thinking', thinking: 'The user wants the weather.', signature: 'sig' },
    { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Ulm', days: [1, 2, 3] } },
  ];
  upstream.answer = stream(eventsOf(message(content, { stop_reason: 'tool_use' })));
  const id = await newSession([
    { type: 'custom', name: 'weather', description: 'd', input_schema: { type: 'object' } },
  ]);
  const follow = await product.client.beta.sessions.events.stream(id, {
    event_deltas: ['agent.thinking.text', 'agent.custom_tool_use'] as never,
  });
  await say(product.client, id, 'What is the weather in Ulm?');
  const started: unknown[] = [];
  let [thought, input] = ['', ''];
  let use: string | undefined;
  for await (const event of follow as AsyncIterable<Streamed>) {
    if (event.type === 'event_start') started.push(event.event);
    if (event.type === 'event_delta') {
      const delta = event.delta as unknown as { readonly thinking?: string; readonly partial_json?: string };
      thought += delta.thinking ?? '';
      input += delta.partial_json ?? '';
    }
    if (event.type === 'agent.custom_tool_use') use = event.id;
    if (event.type === 'session.status_idle') break;
  }
  expect(thought).toBe('The user wants the weather.');
  expect(JSON.parse(input)).toEqual({ city: 'Ulm', days: [1, 2, 3] });
  expect(started).toMatchObject([
    { type: 'agent.thinking' },
    { type: 'agent.custom_tool_use', id: use, name: 'weather' },
  ]);
}, 360_000);

test('an interrupt ends the preview with the end of its request, and no event follows', async () => {
  const open = gated([{ type: 'text', text: POEM }], 6);
  const id = await newSession();
  const follow = await product.client.beta.sessions.events.stream(id, { event_deltas: ['agent.message'] });
  await say(product.client, id, 'Write a poem.');
  const types: string[] = [];
  let request: string | undefined;
  let ended: unknown;
  for await (const event of follow as AsyncIterable<Streamed>) {
    types.push(event.type);
    if (event.type === 'span.model_request_start') request = event.id;
    if (event.type === 'span.model_request_end') ended = event;
    if (event.type === 'event_start')
      await product.client.beta.sessions.events.send(id, { events: [{ type: 'user.interrupt' }] });
    if (event.type === 'session.status_idle') break;
  }
  open();
  expect(types).toContain('event_delta');
  expect(types).not.toContain('agent.message');
  expect(ended).toMatchObject({ model_request_start_id: request, is_error: true });
}, 360_000);

test('what cannot be shown is refused by name', async () => {
  const id = await newSession();
  await expect(
    product.client.beta.sessions.events.stream(id, { event_deltas: ['agent.message', 'nonsense'] as never }),
  ).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(/event_deltas.*'agent\.message', 'agent\.thinking'/) as unknown,
  });
}, 360_000);
