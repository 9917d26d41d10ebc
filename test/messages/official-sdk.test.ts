import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Anthropic } from '@anthropic-ai/sdk';
import { ApiError } from '@steadyhand/contracts';
import { createDefaultProviders, createMessage, parseMessageRequest } from '../../messages/index.ts';
import { COMPUTER_USE, TOOLS, userSays } from './support.ts';
import { fromUser } from '../support/blocks.ts';

/** The least HTTP that can stand before this room: what is tested is that the unmodified client takes what it makes. */
function serve(): Server {
  const providers = createDefaultProviders({});
  return createServer((request, response) => {
    const answer = async (): Promise<[number, unknown]> => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      try {
        const betas = String(request.headers['anthropic-beta'] ?? '').split(',');
        const parsed = parseMessageRequest(JSON.parse(Buffer.concat(chunks).toString('utf8')), { betas });
        return [200, await createMessage(parsed, { providers, signal: new AbortController().signal })];
      } catch (error) {
        if (error instanceof ApiError) return [error.status, error.body()];
        throw error;
      }
    };
    void answer().then(([status, body]) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    });
  });
}

let server: Server;
let client: Anthropic;
beforeAll(async () => {
  server = serve().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  client = new Anthropic({ apiKey: 'any', baseURL: `http://127.0.0.1:${port}`, maxRetries: 0 });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

it('drives the agent loop of the specification until a reply asks for no tool', async () => {
  const messages: Anthropic.Beta.Messages.BetaMessageParam[] = [
    userSays('- bash: echo hello\n- expect: hello\n- computer: {action: screenshot}\n- say: Done.'),
  ];
  const asked: string[] = [];
  for (;;) {
    const reply = await client.beta.messages.create({
      model: 'script',
      max_tokens: 1024,
      betas: [COMPUTER_USE],
      tools: [...TOOLS],
      messages,
    });
    messages.push({ role: 'assistant', content: reply.content });
    if (reply.stop_reason !== 'tool_use') break;
    messages.push(
      fromUser(
        reply.content.flatMap((block) => {
          if (block.type !== 'tool_use') return [];
          asked.push(block.name);
          return [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'hello' }];
        }),
      ),
    );
  }
  expect(asked).toEqual(['bash', 'computer']);
  expect(messages.at(-1)?.content).toMatchObject([
    { text: 'Done.' },
    { text: 'Script: finished, 4 of 4 steps.' },
  ]);
});

it("carries the SDK's own tool runner through a script with the client's tools", async () => {
  const places: unknown[] = [];
  const runner = client.beta.messages.toolRunner({
    model: 'script',
    max_tokens: 1024,
    messages: [
      userSays('- tool: {name: get_weather, input: {place: Rome}}\n- expect: sunny\n- say: Take a hat.'),
    ],
    tools: [
      {
        type: 'custom',
        name: 'get_weather',
        description: 'The weather at a place',
        input_schema: { type: 'object', properties: { place: { type: 'string' } } },
        parse: (input: unknown) => input,
        run: (input: unknown) => {
          places.push(input);
          return 'sunny';
        },
      },
    ],
  });
  const final = await runner.runUntilDone();
  expect(places).toEqual([{ place: 'Rome' }]);
  expect(final.content[0]).toMatchObject({ type: 'text', text: 'Take a hat.' });
});

it("becomes the SDK's typed errors", async () => {
  const ask = (change: object): Promise<unknown> =>
    client.beta.messages.create({
      model: 'script',
      max_tokens: 10,
      messages: [userSays('- say: a')],
      ...change,
    });
  await expect(ask({ max_tokens: -1 })).rejects.toBeInstanceOf(Anthropic.BadRequestError);
  await expect(ask({ model: 'none' })).rejects.toBeInstanceOf(Anthropic.NotFoundError);
  await expect(ask({ tools: TOOLS })).rejects.toMatchObject({
    type: 'invalid_request_error',
    apiMessage: expect.stringContaining(`needs the beta '${COMPUTER_USE}'`) as string,
  });
});

it('serves the API without its beta face too', async () => {
  const reply = await client.messages.create({
    model: 'script',
    max_tokens: 100,
    messages: [userSays('- say: Hello.')],
  });
  expect(reply.content[0]).toMatchObject({ type: 'text', text: 'Hello.' });
  expect(reply.usage.input_tokens).toBeGreaterThan(0);
});
