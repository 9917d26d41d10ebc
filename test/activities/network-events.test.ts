import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ActivityDeps } from '../../activities/index.ts';
import { appendNetworkEvents as append } from '../../activities/network-events.ts';
import { ensureSandbox } from '../../activities/session-sandbox.ts';
import { SandboxError } from '../../contracts/index.ts';
import type { Sandboxes } from '../../sandbox/client/sandboxes.ts';
import { createSessions, createVault, readLog } from '../../sessions/index.ts';
import { projectLog } from '../../sessions/log/project.ts';
import { TestSandboxes } from '../sandbox/helpers/sandboxes.ts';
import { type Bench, inActivity, message, openBench } from './support.ts';
import { listening } from '../support/listening.ts';

const appendNetworkEvents = (deps: ActivityDeps, session: string): Promise<void> =>
  inActivity(() => append(deps, session));

describe("what a session's sandbox asked the network for", () => {
  let sandboxes: TestSandboxes;
  let client: Sandboxes;
  let bench: Bench;
  let service: Server;
  beforeAll(async () => {
    sandboxes = TestSandboxes.open();
    service = createServer((_asked, response) => response.end('ok'));
    await listening(service);
    client = sandboxes.client({ allowPrivate: ['localhost'] });
    bench = await openBench(client);
  });
  afterAll(async () => {
    await bench.close();
    await sandboxes.close();
    await new Promise((resolve) => service.close(resolve));
  });

  it('stands in its log, each request once, and is not shown to the model', async () => {
    const { port } = service.address() as AddressInfo;
    const session = await bench.session();
    await bench.user(session, message('go'));
    const { id } = await ensureSandbox(bench.deps, session);
    const get = (path: string): Promise<string> =>
      sandboxes.text(
        client,
        id,
        `curl -s --noproxy '' http://localhost:${port}/${path}; curl -s http://127.0.0.1:${port}/${path}`,
      );
    const events = async (): Promise<readonly unknown[]> =>
      (await readLog(bench.store, session, { types: ['sandbox.network_request'] })).map(({ body }) => {
        const { number, host, verdict } = body as { number: number; host: string; verdict: string };
        return { number, host, verdict };
      });

    /** Step after step, as a turn has them, until so many are told: a slow daemon's come with a later one. */
    const told = async (count: number): Promise<readonly unknown[]> => {
      for (;;) {
        await appendNetworkEvents(bench.deps, session);
        const all = await events();
        if (all.length >= count) return all;
      }
    };

    await get('one');
    await Promise.all([1, 2, 3].map(() => appendNetworkEvents(bench.deps, session)));
    expect(await told(1)).toEqual([{ number: 1, host: 'localhost', verdict: 'allowed' }]);
    // A daemon that was killed knows its requests by their numbers all the same.
    sandboxes.killDaemon(id);
    await get('two');
    await sandboxes.text(client, id, `curl -s --noproxy '' http://127.0.0.1:${port}/`);
    await told(3);
    await appendNetworkEvents(bench.deps, session);
    expect(await events()).toEqual([
      { number: 1, host: 'localhost', verdict: 'allowed' },
      { number: 2, host: 'localhost', verdict: 'allowed' },
      { number: 3, host: '127.0.0.1', verdict: 'denied' },
    ]);
    // One that does not answer keeps no step waiting.
    await get('three');
    const pid = sandboxes.daemonPid(id);
    process.kill(pid, 'SIGSTOP');
    try {
      await appendNetworkEvents(bench.deps, session);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect(await events()).toHaveLength(3);
    expect((await told(4)).at(-1)).toEqual({ number: 4, host: 'localhost', verdict: 'allowed' });
    const shown = projectLog(await readLog(bench.store, session));
    expect(JSON.stringify(shown)).not.toMatch(/localhost|network/);
    expect(shown).toHaveLength(1);
  });

  it('leaves what the sandbox or the store refuses to the next step, and hides no other error', async () => {
    const session = await bench.session();
    await bench.user(session, message('go'));
    await ensureSandbox(bench.deps, session);
    const failing = (error: Error): ActivityDeps => ({
      ...bench.deps,
      sandboxes: { ...bench.deps.sandboxes, get: () => Promise.reject(error) },
    });
    const unavailable = failing(new SandboxError('unavailable', 'its daemon is away'));
    await expect(appendNetworkEvents(unavailable, session)).resolves.toBeUndefined();
    await expect(appendNetworkEvents(bench.deps, 'sesn_gone')).resolves.toBeUndefined();
    const mistake = new TypeError('cannot read properties of undefined');
    await expect(appendNetworkEvents(failing(mistake), session)).rejects.toBe(mistake);
  });

  it('tells of a host that is made of a secret without its value', async () => {
    const vault = createVault(new Uint8Array(32));
    const sessions = createSessions({ store: bench.store, vault });
    const tools = [{ type: 'bash_20241022', name: 'bash' }];
    const agent = await sessions.agents.create({ name: 'a', model: 'script', tools });
    const secrets = { API_TOKEN: 'Tok3nvalue99' };
    const { id: session } = await sessions.create({ agent: agent.id, secrets });
    const deps = { ...bench.deps, vault };
    const { id } = await ensureSandbox(deps, session);
    await sandboxes.text(client, id, 'curl -s http://tok3nvalue99.example.invalid/');
    let log = '';
    while (!log.includes('sandbox.network_request')) {
      await appendNetworkEvents(deps, session);
      log = JSON.stringify(await readLog(bench.store, session));
    }
    expect(log).toContain('[secret:API_TOKEN].example.invalid');
    expect(log).not.toMatch(/tok3nvalue99/i);
  });
});
