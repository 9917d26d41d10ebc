import { createAnthropicProvider, createProviderRegistry } from '../../../messages/index.ts';
import { clientKey, type KeyLimits } from '../../../server/auth/client-key.ts';
import type { Rates } from '../../../store/index.ts';
import { message, reply, startUpstream } from '../../support/anthropic-upstream.ts';
import { openedForAll } from '../../support/opened.ts';
import { describeWithPostgres } from '../../support/postgres.ts';
import { temporaryStores } from '../../store/temporary-store.ts';
import { ask, type Answer, type Running, startServer, stopServers } from '../harness.ts';

const KEY = 'sk-alice-0123456789';
const BODY = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hello' }] };

/** Two servers that share a database, and clients whose requests go to one or the other. */
describeWithPostgres('limits of two servers', () => {
  const stores = temporaryStores('postgres');
  const upstream = openedForAll(startUpstream);
  afterEach(async () => {
    await stopServers();
    upstream.reset();
  });

  async function two(
    limits: KeyLimits,
    change: (rates: Rates) => Rates = (rates) => rates,
  ): Promise<Running[]> {
    const dir = stores.dir();
    const provider = createAnthropicProvider({ apiKey: 'upstream-key-0', baseURL: upstream.baseURL });
    const one = async (): Promise<Running> => {
      const { rates } = await stores.open({ dir });
      if (rates === null) throw new Error('this store has no rates');
      return startServer({
        access: { kind: 'keys', keys: [clientKey(KEY, 'alice', limits)] },
        providers: createProviderRegistry([{ model: 'm', provider }]),
        rates: change(rates),
      });
    };
    return [await one(), await one()];
  }

  const post = (running: Running | undefined): Promise<Answer> =>
    ask(`${running?.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
      body: JSON.stringify(BODY),
    });

  const postStream = (running: Running | undefined): Promise<Response> =>
    fetch(`${running?.url}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ ...BODY, stream: true }),
    });

  const limitsOf = async (running: Running | undefined): Promise<Record<string, unknown>[]> => {
    const { body } = await ask(`${running?.url}/v1/key`, { headers: { 'x-api-key': KEY } });
    return body['limits'] as Record<string, unknown>[];
  };

  test('requests count wherever they are sent, and so do their headers and the key says', async () => {
    const servers = await two({ requests: 4 });
    const answers: Answer[] = [];
    for (let n = 0; n < 8; n += 1) answers.push(await post(servers[n % 2]));
    const admitted = answers.filter(({ status }) => status === 200);
    // On a slow machine one more may have been refilled.
    expect(admitted.length).toBeGreaterThanOrEqual(4);
    expect(admitted.length).toBeLessThanOrEqual(5);
    expect(
      admitted.slice(0, 4).map(({ headers }) => headers.get('anthropic-ratelimit-requests-remaining')),
    ).toEqual(['3', '2', '1', '0']);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.at(-1)?.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
    expect(Number(refused.at(-1)?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await limitsOf(servers[0])).toContainEqual(
      expect.objectContaining({ lane: 'messages', what: 'requests', limit: 4, remaining: 0 }),
    );
    expect(upstream.seen).toHaveLength(admitted.length);
  });

  test('what a reply has used at one server is missing at the other', async () => {
    const servers = await two({ outputTokens: 100, inputTokens: 10_000 });
    const usage = { input_tokens: 20, output_tokens: 500 };
    upstream.answer = reply(message('Hello.', { usage } as never));
    expect((await post(servers[0])).status).toBe(200);
    let told: Answer;
    do told = await post(servers[1]);
    while (told.status === 200 && upstream.seen.length < 20);
    expect(told.status).toBe(429);
    expect(told.body).toMatchObject({
      error: { message: expect.stringContaining('100 output tokens per minute') as string },
    });
  });

  test('a stream at one server is one less for the other, until it ends', async () => {
    const servers = await two({ streams: 1 });
    let end = (): void => {};
    const held = new Promise<void>((resolve) => (end = resolve));
    upstream.answer = reply('Hello.', { before: (index) => (index === 3 ? held : undefined) });
    const first = await postStream(servers[0]);
    expect(first.status).toBe(200);
    const refused = await postStream(servers[1]);
    expect([refused.status, await refused.text()]).toEqual([
      429,
      expect.stringContaining('concurrent connections'),
    ]);
    end();
    await first.text();
    let next: Response;
    do {
      next = await postStream(servers[1]);
      await next.text();
    } while (next.status === 429);
    expect(next.status).toBe(200);
  });

  test('while the levels cannot be asked for, each server counts for itself and says so', async () => {
    const [server] = await two({ requests: 2 }, () => ({
      take: () => Promise.reject(new Error('the database is away')),
    }));
    const statuses = [await post(server), await post(server), await post(server)].map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(server?.logged).toContainEqual(
      expect.objectContaining({ msg: 'limits are counted by this process alone for now', key: 'key/alice' }),
    );
  });
});
