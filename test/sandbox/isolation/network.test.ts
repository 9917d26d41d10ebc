import { createServer } from 'node:http';
import { hostname } from 'node:os';
import type { Networking } from '@steadyhand/contracts';
import { readNetworkLog } from '../../../sandbox/client/network-log.ts';
import type { Sandboxes } from '../../../sandbox/client/sandboxes.ts';
import { TestSandboxes, until } from '../helpers/sandboxes.ts';
import { madeForAll, openedForAll } from '../../support/opened.ts';
import { limitedTo } from '../helpers/networking.ts';
import { listening } from '../../support/listening.ts';

const SECRET = 'the-secret-of-the-host';

/** The way out, used and attacked by programs inside. */
describe('from inside a sandbox, the network', () => {
  let client: Sandboxes;
  let port: number;
  let reached = 0;
  const test = openedForAll(() => TestSandboxes.open());
  const service = madeForAll(() =>
    createServer((asked, response) => {
      reached += 1;
      response.end(`${SECRET} ${asked.url}`);
    }),
  );
  beforeAll(async () => {
    port = await listening(service, '0.0.0.0');
    // `localhost` is the one name that every machine knows: an operator who allows it by name and port, nothing else.
    client = test.client({ allowPrivate: [`localhost:${port}`] });
  });
  beforeEach(() => (reached = 0));
  afterAll(async () => new Promise((resolve) => service.close(resolve)));
  const limited = (...allowed_hosts: string[]): Networking => limitedTo(allowed_hosts);
  const curl = (id: string, ...args: string[]): Promise<string> =>
    test.text(client, id, `curl -sS -m 20 --noproxy '' ${args.join(' ')} 2>&1; true`);

  it('leads through the proxy to what is allowed, in a plain request and a tunnel, and nowhere else', async () => {
    const { id, networking } = await client.create({ networking: limited(`localhost:${port}`) });
    expect(networking).toEqual(limited(`localhost:${port}`));
    expect(await curl(id, `http://localhost:${port}/plain`)).toContain(`${SECRET} /plain`);
    expect(await curl(id, '-p', `http://LOCALHOST.:${port}/tunnel`)).toContain(`${SECRET} /tunnel`);
    reached = 0;
    expect(await curl(id, 'http://example.com/')).toMatch(
      /does not allow a connection to example.com:80.*not among/,
    );
    expect(await curl(id, `http://localhost:${port + 1}/`)).toMatch('not among');
    expect(await curl(id, `http://127.0.0.1:${port}/`)).toMatch('not among');
    expect(await curl(id, '-o /dev/null -w "%{http_code}"', 'https://example.com/')).toMatch(/403/);
    expect(reached).toBe(0);
    // A connection is told of when it has ended, which that of the tunnel may do after the next one began.
    await until(async () => (await readNetworkLog(client, id)).data.length >= 6);
    const { data, last } = await readNetworkLog(client, id);
    expect(data.map(({ host, method, verdict }) => `${method} ${host} ${verdict}`).toSorted()).toEqual([
      'CONNECT example.com denied',
      'CONNECT localhost allowed',
      'GET 127.0.0.1 denied',
      'GET example.com denied',
      'GET localhost allowed',
      'GET localhost denied',
    ]);
    const tunnel = data.find(({ method, verdict }) => method === 'CONNECT' && verdict === 'allowed');
    expect(tunnel?.bytes_received).toBeGreaterThan(SECRET.length);
    // The log outlives the daemon, and so do its numbers.
    process.kill(test.daemonPid(id), 'SIGKILL');
    await curl(id, `http://localhost:${port}/after`);
    expect((await readNetworkLog(client, id, { after: last })).data).toEqual([
      expect.objectContaining({ number: last + 1, host: 'localhost', verdict: 'allowed' }),
    ]);
    await client.delete(id);
  });

  it('unrestricted: no spelling of the host, its network or its metadata service is reached', async () => {
    const { id } = await client.create();
    const spellings = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.0.0.1.',
      '0.0.0.0',
      '0',
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[0:0:0:0:0:ffff:7f00:0001]',
      '[64:ff9b::7f00:1]',
      'localhost.localdomain@127.0.0.1',
      '%31%32%37.0.0.1',
      hostname(),
    ];
    const results = await test.text(
      client,
      id,
      `for h in ${spellings.map((each) => `'${each}'`).join(' ')}; do curl -g -sS -m 20 --noproxy '' http://$h:${port}/ 2>&1; curl -g -sS -m 20 --noproxy '' -p http://$h:${port}/ 2>&1; printf 'GET http://%s:${port}/ HTTP/1.1\\r\\nHost: localhost:${port}\\r\\nConnection: close\\r\\n\\r\\n' "$h" | timeout 20 bash -c 'exec 3<>/dev/tcp/127.0.0.1/3128; cat >&3; cat <&3'; done; true`,
    );
    expect(results).not.toContain(SECRET);
    expect(reached).toBe(0);
    for (const metadata of [
      '169.254.169.254',
      '2852039166',
      '0xa9fea9fe',
      '[::ffff:169.254.169.254]',
      '[fd00:ec2::254]',
      '100.100.100.200',
    ])
      expect(await curl(id, '-g', `http://${metadata}/latest/meta-data/`)).toMatch('does not allow');
    expect((await readNetworkLog(client, id)).data.filter(({ verdict }) => verdict === 'allowed')).toEqual(
      [],
    );
    await client.delete(id);
  });

  it('none: there is no proxy, no socket and no variable', async () => {
    const { id } = await client.create({ networking: { type: 'none' } });
    expect(
      await test.text(client, id, 'env | grep -ic proxy; ls /run/steadyhand 2>&1 | grep -c "No such"'),
    ).toBe('0\n1');
    expect(await curl(id, '-x http://127.0.0.1:3128', `http://localhost:${port}/`)).toMatch(
      /Failed to connect|refused/,
    );
    expect(reached).toBe(0);
    await client.delete(id);
  });

  it("the proxy's socket takes garbage and crowds, and cannot be moved or replaced", async () => {
    const { id } = await client.create({ networking: limited(`localhost:${port}`) });
    const script = `
import os, socket
path = '/run/steadyhand/proxy.sock'
for data in [b'\\0' * 70000, b'GET / HTTP/1.1\\r\\n\\r\\n', b'CONNECT ../../etc HTTP/1.1\\r\\n\\r\\n', b'POST /actions HTTP/1.1\\r\\nContent-Length: 2\\r\\n\\r\\n{}']:
    s = socket.socket(socket.AF_UNIX); s.settimeout(20); s.connect(path)
    try:
        s.sendall(data); print(s.recv(12).decode())
    except OSError as e: print('HTTP/1.1 4xx')
held = []
try:
    for _ in range(700):
        s = socket.socket(socket.AF_UNIX); s.connect(path); held.append(s)
except OSError as e: print('full')
for s in held: s.close()
for act in (lambda: os.remove(path), lambda: os.rename(path, '/tmp/x'), lambda: open('/run/steadyhand/new', 'w'), lambda: os.chmod(path, 0o777)):
    try: act(); print('DONE')
    except OSError: print('refused')
`;
    const answer = await test.text(client, id, `python3 - <<'END'\n${script}\nEND`);
    expect(answer).toMatch(/^(HTTP\/1\.1 4..\n){4}(full\n)?(refused\n?){4}$/);
    expect(await curl(id, '--retry 5 --retry-connrefused', `http://localhost:${port}/on`)).toContain(SECRET);
    await client.delete(id);
  });

  it("another sandbox's loopback is another loopback", async () => {
    const [one, two] = await Promise.all([client.create(), client.create()]);
    await test.bash(
      client,
      one.id,
      'python3 -m http.server 8765 --bind 127.0.0.1 >/dev/null 2>&1 & until curl -s localhost:8765 >/dev/null; do :; done',
    );
    expect(
      await test.text(client, one.id, 'curl -s -o /dev/null -w "%{http_code}" http://localhost:8765/'),
    ).toBe('200');
    expect(await test.text(client, two.id, 'curl -sS http://localhost:8765/ 2>&1; true')).toMatch(
      /refused|Failed/,
    );
    await Promise.all([client.delete(one.id), client.delete(two.id)]);
  });

  it('datagrams, other families and raw sockets lead nowhere', async () => {
    const { id } = await client.create();
    const script = `
import socket
for family, kind, address in [(socket.AF_INET, socket.SOCK_DGRAM, ('8.8.8.8', 53)), (socket.AF_INET, socket.SOCK_STREAM, ('8.8.8.8', 53)), (socket.AF_INET6, socket.SOCK_STREAM, ('2001:4860:4860::8888', 53))]:
    try:
        s = socket.socket(family, kind); s.settimeout(5); s.connect(address); s.send(b'x'); print('SENT')
    except OSError as e: print('refused')
for family, kind in [(socket.AF_PACKET, socket.SOCK_RAW), (socket.AF_INET, socket.SOCK_RAW)]:
    try:
        socket.socket(family, kind, 1 if family == socket.AF_INET else 0); print('OPEN')
    except OSError as e: print('refused')
`;
    expect(await test.text(client, id, `python3 - <<'END'\n${script}\nEND`)).toBe(
      'refused\n'.repeat(5).trim(),
    );
    await client.delete(id);
  });
});
