import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mountInSandbox } from '../../../sandbox/client/mounted-files.ts';
import type { Sandboxes } from '../../../sandbox/client/sandboxes.ts';
import { NO_PACKAGES } from '../../../sandbox/config.ts';
import { TestSandboxes, until } from '../helpers/sandboxes.ts';
import { listening } from '../../support/listening.ts';

const IMAGE = process.env['STEADYHAND_TEST_SANDBOX_IMAGE'];
const describeWithImage = IMAGE === undefined ? describe.skip : describe;

/** What is other in a container than in a sandbox with bubblewrap, or made in another way. */
describeWithImage('a sandbox in a container (needs STEADYHAND_TEST_SANDBOX_IMAGE)', () => {
  let test: TestSandboxes;
  let client: Sandboxes;
  let service: Server;
  let host: string;
  let id: string;
  beforeAll(async () => {
    service = createServer((_asked, response) => response.end('reached'));
    await listening(service);
    host = `localhost:${(service.address() as AddressInfo).port}`;
    test = TestSandboxes.open();
    client = test.client({ isolation: 'container', containerImage: IMAGE ?? '', allowPrivate: [host] });
    ({ id } = await client.create({
      networking: {
        type: 'limited',
        allowed_hosts: [host],
        allow_package_managers: false,
        allow_mcp_servers: false,
      },
      limits: { disk_mib: 256, memory_mib: 1024 },
    }));
  }, 200_000);
  afterAll(async () => {
    await test.close();
    service.closeAllConnections();
    await new Promise((resolve) => service.close(resolve));
  }, 60_000);
  const sh = (command: string): Promise<string> => test.text(client, id, command);

  it('goes out through the server, to what is allowed', async () => {
    await until(async () => (await sh(`curl -s --noproxy '' http://${host}/`)) === 'reached');
    expect(await sh("curl -s --noproxy '' http://example.com/")).toMatch(/example.com:80: .*not among/);
    expect(await sh('cut -d: -f1 /proc/net/dev | tail -n +3 | tr -d " "')).toBe('lo');
  });

  it('has no proxy where there is no network', async () => {
    const { id: alone } = await client.create({ networking: { type: 'none' } });
    expect(await test.text(client, alone, 'env | grep -ci proxy=; curl -s http://127.0.0.1:3128')).toMatch(
      /^(<.*>\n)?0$/,
    );
    await client.delete(alone);
  });

  it('has a browser that starts', async () => {
    await sh('(setsid chromium about:blank >/dev/null 2>&1 &) ; true');
    const pages = (): Promise<string> =>
      sh('pgrep --full -- "^/usr/lib/chromium/chromium --type=renderer"; true');
    await until(async () => /\d/.test(await pages()));
    expect(await sh('pkill chromium; echo ended')).toBe('ended');
  });

  it('has the session’s files, read-only, and takes what is left in outputs', async () => {
    const bytes = Buffer.from('a,b\n');
    const open = (): Promise<AsyncIterable<Uint8Array>> => Promise.resolve(chunks(bytes));
    await mountInSandbox(client, id, [{ path: 'in/data.csv', id: 'file_1', open }]);
    expect(
      await sh('cat /mnt/session/uploads/in/data.csv; echo x 2>&1 > /uploads/in/data.csv || echo refused'),
    ).toMatch(/^a,b[^]*refused$/);
    expect(await sh('echo out > /mnt/session/outputs/out && cat /mnt/session/outputs/out')).toBe('out');
  });

  it('holds the size of a file, of all files, and of memory, and ends the agent’s programs first', async () => {
    expect(await sh('head -c 300M /dev/zero > one 2>/dev/null; stat -c %s one; rm one')).toMatch(
      `${256 * 2 ** 20}`,
    );
    expect(await sh('for i in 1 2 3; do head -c 130M /dev/zero > part$i; done; sleep 60')).toMatch(
      /The computer stopped/,
    );
    expect(await sh('rm part*; echo deleted')).toMatch(
      /held \d+ MiB, more than the 256 MiB it may[^]*deleted$/,
    );
    expect(await sh('cat /proc/self/oom_score_adj')).toBe('500');
    const { boot } = await client.get(id);
    expect(await sh("python3 -c 'bytearray(1500 << 20)' 2>/dev/null || echo ended")).toMatch(/ended$/);
    expect((await client.get(id)).boot).toBe(boot);
  });

  it('says that packages are not installed here', async () => {
    const { id: other } = await client.create({ packages: { ...NO_PACKAGES, pip: ['six'] } });
    expect(await test.text(client, other, 'true')).toMatch(
      /packages.*could not be installed: .*not container/,
    );
    await client.delete(other);
  });
});

async function* chunks(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(bytes);
}
