import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:http2';
import { type AddressInfo, connect as connectSocket, createServer as createLineServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Networking } from '@steadyhand/contracts';
import { readNetworkLog } from '../../../sandbox/client/network-log.ts';
import { SandboxPool } from '../../../sandbox/client/hosts/sandbox-pool.ts';
import type { Sandboxes } from '../../../sandbox/client/sandboxes.ts';
import { serveLine } from '../../../sandbox/egress/line.ts';
import { MemberProcess } from '../helpers/member-process.ts';
import { TestSandboxes, until } from '../helpers/sandboxes.ts';
import { madeForAll } from '../../support/opened.ts';
import { limitedTo } from '../helpers/networking.ts';
import { listening } from '../../support/listening.ts';

const TOKEN = 'a token that both sides know';
const LONG = 3_000_000;
const logger = { info: () => undefined, warn: () => undefined };
const limited = (...allowed_hosts: string[]): Networking => limitedTo(allowed_hosts);

let port: number;
let reached = 0;
const service = madeForAll(() =>
  createServer((asked, response) => {
    reached += 1;
    if (asked.url === '/long') response.setHeader('connection', 'close');
    response.end(asked.url === '/long' ? Buffer.alloc(LONG, 'x') : `reached ${asked.url}`);
  }),
);
beforeAll(async () => {
  port = await listening(service, '0.0.0.0');
});
beforeEach(() => (reached = 0));
afterAll(async () => {
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
});

/** The server's end of a line, and what a daemon that was taken over asks there: the status and the text of the answer. */
async function askedDirectly(networking: Networking, authority: string): Promise<string> {
  const settings = { allow_private: [], mirrors: [] };
  const ends = createLineServer((socket) => void serveLine(socket, { networking, settings, env: {} }));
  await listening(ends);
  const socket = connectSocket((ends.address() as AddressInfo).port, '127.0.0.1');
  const session = connect('http://server', { createConnection: () => socket });
  const stream = session.request({ ':method': 'CONNECT', ':authority': authority }, { endStream: false });
  const status = await new Promise<number>((resolve, reject) => {
    stream.once('response', (headers) => resolve(headers[':status'] ?? 0)).once('error', reject);
  });
  const text = Buffer.concat((await stream.toArray()) as Buffer[]).toString();
  session.destroy();
  await new Promise((resolve) => ends.close(resolve));
  return `${status} ${text}`;
}

describe("the server's end of a sandbox's way out", () => {
  it('refuses private addresses and hosts that are not listed, whatever the daemon asks for', async () => {
    const everything = { type: 'unrestricted' } as const;
    expect(await askedDirectly(everything, `127.0.0.1:${port}`)).toMatch(/^403 .*\(loopback\)/);
    expect(await askedDirectly(everything, `[::ffff:127.0.0.1]:${port}`)).toMatch(/^403 .*\(loopback\)/);
    expect(await askedDirectly(everything, `localhost:${port}`)).toMatch(/^403 .*resolves to/);
    expect(await askedDirectly(everything, `${hostname()}:${port}`)).toMatch(/^403 /);
    expect(await askedDirectly(limited('example.com'), 'example.org:443')).toMatch(/^403 .*not among/);
    expect(await askedDirectly({ type: 'none' }, 'example.com:443')).toMatch(/^403 .*no network/);
    expect(reached).toBe(0);
  });
});

describe('a sandbox that goes out through the server', () => {
  let test: TestSandboxes;
  let member: MemberProcess;
  let client: Sandboxes;
  let id: string;
  const open = (): Sandboxes =>
    test.client({
      isolation: 'remote',
      pool: new SandboxPool({ dir: test.dir, token: TOKEN, addresses: [member.address], logger }),
      allowPrivate: [`localhost:${port}`],
    });
  beforeAll(async () => {
    test = TestSandboxes.open();
    member = await MemberProcess.start(test.memberEntry, {
      SANDBOX_POOL_TOKEN: TOKEN,
      SANDBOX_ISOLATION: 'bubblewrap',
      SANDBOX_EGRESS: 'server',
    });
    client = open();
    ({ id } = await client.create({ networking: limited(`localhost:${port}`, `${hostname()}:${port}`) }));
  });
  afterAll(async () => {
    await client.delete(id);
    await member.stop();
    await test.close();
  });
  const curl = (...args: string[]): Promise<string> =>
    test.text(client, id, `curl -sS -m 20 --noproxy '' ${args.join(' ')} 2>&1; true`);
  /** The line is opened beside the first calls, and again after it was lost. */
  const connected = (): Promise<void> =>
    until(async () => (await curl(`http://localhost:${port}/`)) === 'reached /');

  it('reaches what is allowed, in a plain request and a tunnel, and nothing else', async () => {
    await connected();
    expect(await curl('-p', `http://localhost:${port}/tunnel`)).toBe('reached /tunnel');
    expect(await curl('-p', `http://localhost:${port}/long`, '| wc -c')).toBe(String(LONG));
    const body = 'head -c 1000000 /dev/zero | ';
    const sent = `${body}curl -sS --noproxy '' -H Expect: -p -T - http://localhost:${port}/sent`;
    expect(await test.text(client, id, sent)).toBe('reached /sent');
    reached = 0;
    const status = ['-o /dev/null -w "%{http_code}"'];
    expect(await curl(...status, 'http://example.com/')).toBe('403');
    expect(await curl('http://example.com/')).toMatch(/example.com:80: .*not among/);
    // Listed, and not an address that sandboxes reach: the server alone can tell.
    expect(await curl(`http://${hostname()}:${port}/`)).toMatch(/does not allow.*sandboxes do not reach/);
    expect(reached).toBe(0);
    const { data } = await readNetworkLog(client, id);
    expect(data.find(({ bytes_received }) => bytes_received > LONG)).toMatchObject({
      method: 'CONNECT',
      host: 'localhost',
      verdict: 'allowed',
    });
  });

  it('waits for the server: 503 without one, and on again with the next, or after a crash of its machine', async () => {
    await connected();
    // Asked while the server is away, answered where the next one sees it.
    const away = `sleep 0.1; until curl -s -o /dev/null -w '%{http_code}\\n' --noproxy '' http://localhost:${port}/ > code; grep -q 503 code; do sleep 0.1; done; curl -s --noproxy '' http://localhost:${port}/ > text`;
    await test.bash(client, id, `(${away}) >/dev/null 2>&1 & true`);
    client.close();
    const text = join(member.dir, id, 'workspace', 'text');
    await until(() => existsSync(text) && statSync(text).size > 0);
    client = open();
    await connected();
    expect(await test.text(client, id, 'cat code text')).toMatch(
      /^503\nNo connection to .*server .* is away/,
    );
    member.kill();
    await connected();
  });
});
