import { clientAddress, WrongKeys } from '../../server/auth/wrong-keys.ts';
import { clientKey } from '../../server/auth/client-key.ts';
import { type Answer, ask, startServer, stopServers } from './harness.ts';

afterEach(stopServers);

const KEY = 'sk-test-0123456789';
const OTHER = 'sk-test-9876543210';
const access = { kind: 'keys', keys: [clientKey(KEY, 'alice'), clientKey(OTHER, 'bob')] } as const;

/** A clock that stands until it is moved, and the delays that were asked for. */
class Clock {
  time = 1_000_000;
  readonly waits: number[] = [];
  readonly now = (): number => this.time;
  readonly wait = async (ms: number): Promise<void> => void this.waits.push(ms);
}

const clockOf = (): Pick<Clock, 'now' | 'wait'> => {
  const { now, wait } = new Clock();
  return { now, wait };
};

describe('a server', () => {
  const sending = (url: string, key: string, headers: Record<string, string> = {}): Promise<Answer> =>
    ask(`${url}/v1/agents`, { headers: { ...headers, 'x-api-key': key } });
  const times = async (count: number, send: () => Promise<Answer>): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let sent = 0; sent < count; sent += 1) statuses.push((await send()).status);
    return statuses;
  };

  it('answers the first wrong keys at once, further ones later, and then none until time has passed', async () => {
    const clock = new Clock();
    const { url } = await startServer({ access, now: clock.now, wait: clock.wait });
    expect(await times(5, () => sending(url, 'wrong'))).toEqual(Array(5).fill(401));
    expect(clock.waits).toEqual([]);
    expect(await times(15, () => sending(url, 'wrong'))).toEqual(Array(15).fill(401));
    expect(clock.waits).toEqual(Array(15).fill(1000));
    const refused = await sending(url, 'wrong');
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('6');
    expect(refused.body['error']).toEqual({
      type: 'rate_limit_error',
      message: 'Too many invalid keys came from this address; wait and try again',
    });
    clock.time += 6000;
    expect(await times(2, () => sending(url, 'wrong'))).toEqual([401, 429]);
    clock.time += 3_600_000;
    clock.waits.length = 0;
    expect(await times(5, () => sending(url, 'wrong'))).toEqual(Array(5).fill(401));
    expect(clock.waits).toEqual([]);
  });

  it('holds the routes of image models to the same count, in their own shapes', async () => {
    const { url } = await startServer({ access, ...clockOf() });
    await times(20, () => sending(url, 'wrong'));
    for (const path of ['/v2/models', '/metrics']) {
      const { status, headers } = await ask(`${url}${path}`, { headers: { 'x-api-key': 'wrong' } });
      expect([path, status, headers.get('retry-after')]).toEqual([path, 429, '6']);
    }
  });

  it('lets in a key that was right from there before, and tells of no other one whether it is', async () => {
    const clock = new Clock();
    const { url } = await startServer({ access, now: clock.now, wait: clock.wait });
    expect((await sending(url, KEY)).status).toBe(200);
    await times(20, () => sending(url, 'wrong'));
    expect(await times(3, () => sending(url, KEY))).toEqual([200, 200, 200]);
    expect((await sending(url, OTHER)).status).toBe(429);
    clock.time += 6000;
    expect((await sending(url, OTHER)).status).toBe(200);
  });

  it('does not count a request without a key, nor right ones', async () => {
    const clock = new Clock();
    const { url } = await startServer({ access, now: clock.now, wait: clock.wait });
    expect(await times(30, () => ask(`${url}/v1/agents`))).toEqual(Array(30).fill(401));
    expect(await times(30, () => sending(url, KEY))).toEqual(Array(30).fill(200));
    expect(clock.waits).toEqual([]);
  });

  it('takes a client’s address from a proxy that it trusts, and from nobody else', async () => {
    const from = (address: string): Record<string, string> => ({ 'x-forwarded-for': address });
    const behind = await startServer({ access, ...clockOf(), trustedProxies: ['127.0.0.1'] });
    await times(20, () => sending(behind.url, 'wrong', from('203.0.113.1, 198.51.100.7')));
    expect((await sending(behind.url, 'wrong', from('198.51.100.7'))).status).toBe(429);
    expect((await sending(behind.url, 'wrong', from('198.51.100.8'))).status).toBe(401);

    const open = await startServer({ access, ...clockOf() });
    await times(20, () => sending(open.url, 'wrong', from('198.51.100.7')));
    expect((await sending(open.url, 'wrong', from('198.51.100.8'))).status).toBe(429);
  });
});

it('remembers a bounded number of addresses', async () => {
  const wrong = new WrongKeys({ now: () => 0, wait: async () => {} });
  for (let at = 0; at < 10_100; at += 1) {
    await wrong.take(`10.0.${Math.floor(at / 256)}.${at % 256}`, undefined);
  }
  expect(wrong.size).toBe(10_000);
});

it('a clock that steps back neither forgives nor accuses', async () => {
  let time = 1_000_000;
  const wrong = new WrongKeys({ now: () => time, wait: async () => {} });
  for (let tried = 0; tried < 20; tried += 1) await wrong.take('192.0.2.1', undefined);
  time = 0;
  await expect(wrong.take('192.0.2.1', undefined)).rejects.toMatchObject({ status: 429, retryAfterMs: 6000 });
  time = 6000;
  await expect(wrong.take('192.0.2.1', undefined)).resolves.toBeUndefined();
});

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:0db8:0000:0001:ffff::', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['1:2:3:4:5:6:192.0.2.1', '1:2:3:4::/64'],
  [undefined, ''],
])('the address %s counts as %s', (address, counted) => {
  expect(clientAddress(address)).toBe(counted);
});
