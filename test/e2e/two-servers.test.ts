import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { type AnthropicUpstream, reply, startUpstream } from '../support/anthropic-upstream.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { describeWithPostgres, openPostgres, type TestPostgres } from '../support/postgres.ts';
import { Product } from '../support/product.ts';
import { say } from './support.ts';

const API_KEY = 'sk-two-servers-0123456789';
const REQUESTS = 5;

/**
 * Two servers with a worker each, whose folders are their own, on one database and one Temporal service. What one of them began
 * holds at the other.
 */
describeWithPostgres('two servers', () => {
  let engine: TestEngine;
  let postgres: TestPostgres;
  let upstream: AnthropicUpstream;
  let one: Product;
  let other: Product;

  beforeAll(async () => {
    [engine, postgres, upstream] = await Promise.all([startTestEngine(), openPostgres(), startUpstream()]);
    const env = {
      ...engine.env,
      STORE: await postgres.database(),
      API_KEY,
      SECRETS_KEY: randomBytes(32).toString('hex'),
      RATE_LIMIT_REQUESTS: `${REQUESTS}`,
      ANTHROPIC_API_KEY: 'sk-upstream-0',
      ANTHROPIC_BASE_URL: upstream.baseURL,
    };
    one = new Product(env);
    other = new Product(env);
    await Promise.all([one.start(), other.start()]);
  }, 360_000);

  afterAll(async () => {
    await Promise.all([one, other].map((product) => product.stop()));
    await Promise.all([engine.stop(), postgres.close(), upstream.close()]);
    for (const { dataDir } of [one, other]) rmSync(dataDir, { recursive: true, force: true });
  }, 360_000);

  async function ask<T = Record<string, unknown>>(
    { url }: Product,
    [method, target]: readonly [string, string],
    body?: object,
  ): Promise<{ readonly status: number; readonly headers: Headers; readonly body: T }> {
    const headers = {
      'x-api-key': API_KEY,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
    };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await fetch(`${url}${target}`, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : text) as T,
    };
  }

  test('are one organization with one key, and its limits hold for both together', async () => {
    const asked = [];
    for (let n = 0; n < 2 * REQUESTS + 4; n += 1) {
      const messages = [{ role: 'user', content: '- say: hello' }];
      const request = { model: 'script', max_tokens: 10, messages };
      asked.push(await ask(n % 2 === 0 ? one : other, ['POST', '/v1/messages'], request));
    }
    const admitted = asked.filter(({ status }) => status === 200).length;
    expect(admitted).toBeGreaterThanOrEqual(REQUESTS);
    // On a slow machine some are refilled meanwhile.
    expect(admitted).toBeLessThanOrEqual(REQUESTS + 3);
    const organizations = asked.map(({ headers }) => headers.get('anthropic-organization-id'));
    expect(new Set(organizations).size).toBe(1);
  });

  test('show what a model writes, wherever the worker is that asked it', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    upstream.answer = reply('Salt wind, restless tide.', {
      before: (index) => (index === 5 ? held : undefined),
    });
    const agent = await one.client.beta.agents.create({ name: 'a', model: 'claude-double' });
    const environment = await one.client.beta.environments.create({ name: `e-${agent.id}` });
    const { id } = await one.client.beta.sessions.create({ agent: agent.id, environment_id: environment.id });
    const streams = await Promise.all(
      [one, other].map(({ client }) =>
        client.beta.sessions.events.stream(id, { event_deltas: ['agent.message'] }),
      ),
    );
    await say(other.client, id, 'Write a haiku.');
    // The model goes on once both have shown what it wrote, so nothing here is from the log.
    let waiting = streams.length;
    const shown = streams.map(async (stream) => {
      let text = '';
      for await (const event of stream as AsyncIterable<Streamed>) {
        if (event.type === 'event_delta') {
          if (text === '') waiting -= 1;
          if (waiting === 0) release();
          text += event.delta.content?.text ?? '';
        }
        if (event.type === 'session.status_idle') return text;
      }
      return text;
    });
    for (const text of await Promise.all(shown)) {
      expect('Salt wind, restless tide.'.startsWith(text)).toBe(true);
      expect(text).not.toBe('');
    }
  }, 360_000);
});

interface Streamed {
  readonly type: string;
  readonly delta: { readonly content?: { readonly text?: string } };
}
