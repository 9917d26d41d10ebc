import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { WebSocket } from 'ws';
import { MemberProcess } from '../sandbox/helpers/member-process.ts';
import { type AnthropicUpstream, reply, startUpstream } from '../support/anthropic-upstream.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { describeWithPostgres, openPostgres, type TestPostgres } from '../support/postgres.ts';
import { Product } from '../support/product.ts';
import { type S3TestServer, startS3Server } from '../support/s3-server.ts';
import { events, idle, prepare, resultTexts, say, until } from './support.ts';

const API_KEY = 'sk-two-servers-0123456789';
const POOL_TOKEN = 'the-token-of-this-pool';
const REQUESTS = 5;

/**
 * Two servers with a worker each, whose folders are their own, on one database, one object store, one Temporal service and one
 * pool of sandbox machines. What one of them began holds at the other.
 */
describeWithPostgres('two servers', () => {
  let engine: TestEngine;
  let postgres: TestPostgres;
  let objects: S3TestServer;
  let upstream: AnthropicUpstream;
  let one: Product;
  let other: Product;
  const members: MemberProcess[] = [];

  beforeAll(async () => {
    [engine, postgres] = await Promise.all([startTestEngine(), openPostgres()]);
    [objects, upstream] = await Promise.all([startS3Server(), startUpstream()]);
    const env = {
      ...engine.env,
      STORE: await postgres.database(),
      BLOBS: objects.address,
      AWS_ACCESS_KEY_ID: objects.credentials.accessKeyId,
      AWS_SECRET_ACCESS_KEY: objects.credentials.secretAccessKey,
      API_KEY,
      SECRETS_KEY: randomBytes(32).toString('hex'),
      RATE_LIMIT_REQUESTS: `${REQUESTS}`,
      SANDBOX_ISOLATION: 'remote',
      SANDBOX_POOL_TOKEN: POOL_TOKEN,
      ANTHROPIC_API_KEY: 'sk-upstream-0',
      ANTHROPIC_BASE_URL: upstream.baseURL,
    };
    one = new Product(env);
    other = new Product(env);
    await Promise.all([one.start(), other.start()]);
    const entry = path.resolve('dist/sandbox-member.mjs');
    // Each registers with another server.
    for (const { url } of [one, other, one]) {
      const env = { SANDBOX_POOL_TOKEN: POOL_TOKEN, SANDBOX_SERVER: url };
      members.push(await MemberProcess.start(entry, env));
    }
  }, 360_000);

  afterAll(async () => {
    await Promise.all([one, other].map((product) => product.stop()));
    await Promise.all(members.map((member) => member.stop()));
    await Promise.all([engine.stop(), postgres.close(), objects.close(), upstream.close()]);
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

  /** How a viewer with a ticket fares: the first bytes of the screen, or the status that it is refused with. */
  function watch({ url }: Product, target: string, ticket: string): Promise<string | number> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`${url.replace('http', 'ws')}${target}`, ['binary', `ticket.${ticket}`]);
      socket.once('message', (data: Buffer) => {
        resolve(data.toString('latin1', 0, 3));
        socket.close();
      });
      socket.once('unexpected-response', (_, { statusCode = 0 }) => resolve(statusCode));
      socket.once('error', reject);
    });
  }

  async function newSession(at: Product): Promise<string> {
    const { agent, environment_id } = await prepare(at.client);
    return (await at.client.beta.sessions.create({ agent, environment_id })).id;
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

  test('reach the sandboxes that either has made, with their files, pictures, logs and snapshots', async () => {
    const { body } = await ask<{ id: string }>(one, ['POST', '/v1/sandboxes'], {});
    const { id } = body;
    for (const target of ['', '/screenshot', '/network_log', '/snapshots', '/files?path=/home/agent']) {
      const answers = [one, other].map((server) => ask(server, ['GET', `/v1/sandboxes/${id}${target}`]));
      expect([target, ...(await Promise.all(answers)).map(({ status }) => status)]).toEqual([
        target,
        200,
        200,
      ]);
    }
    const { body: ticket } = await ask<{ ticket: string; path: string }>(
      one,
      ['POST', `/v1/sandboxes/${id}/vnc_ticket`],
      {},
    );
    expect(await watch(other, ticket.path, ticket.ticket)).toBe('RFB');
    expect(await watch(one, ticket.path, ticket.ticket)).toBe(401);
    expect(await watch(other, ticket.path, ticket.ticket)).toBe(401);
    expect((await ask(other, ['DELETE', `/v1/sandboxes/${id}`])).status).toBe(200);
    expect((await ask(one, ['GET', `/v1/sandboxes/${id}`])).status).toBe(404);
  }, 360_000);

  test('show, take over, hand back and delete a session that the other began', async () => {
    const id = await newSession(one);
    await say(one.client, id, '- bash: echo one\n- say: Done.');
    const log = await until(other, id, 'the result', (seen) => resultTexts(seen).length === 1);
    expect(resultTexts(log)).toEqual(['one']);
    expect(await idle(other, id)).toBe('end_turn');
    const session = `/v1/sessions/${id}`;
    for (const server of [one, other]) {
      const { body: shown } = await ask<{ sandbox_id: string }>(server, ['GET', session]);
      const target = `/v1/sandboxes/${shown.sandbox_id}/screenshot`;
      expect((await ask(server, ['GET', target])).status).toBe(200);
      const { body } = await ask<{ ticket: string; path: string }>(
        server,
        ['POST', `${session}/vnc_ticket`],
        {},
      );
      expect(await watch(server, body.path, body.ticket)).toBe('RFB');
    }
    const taken = await ask<{ id: string; status: string }>(one, ['POST', `${session}/takeover`], {});
    expect(taken.body.status).toBe('active');
    const seen = await ask<{ takeover: { id: string } }>(other, ['GET', `${session}/takeover`]);
    expect(seen.body.takeover.id).toBe(taken.body.id);
    const back = await ask<{ status: string }>(other, ['POST', `${session}/handback`], {
      takeover_id: taken.body.id,
    });
    expect([back.status, back.body.status]).toEqual([200, 'ended']);
    await until(one, id, 'the end', (all) => JSON.stringify(all).includes('sandbox.takeover_ended'));
    await say(other.client, id, '- bash: echo two\n- say: Done.');
    expect(await idle(one, id)).toBe('end_turn');
    expect(resultTexts(await events(one.client, id))).toEqual(['one', 'two']);
    expect((await ask(other, ['DELETE', session])).status).toBe(200);
    const used = async (): Promise<number> => {
      const { body } = await ask<{ data: { sandbox: unknown }[] }>(one, ['GET', '/v1/sandbox_pool/members']);
      return JSON.stringify(body).split('sbx_').length - 1;
    };
    while ((await used()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }, 360_000);

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
