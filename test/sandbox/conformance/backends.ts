import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { IsolationKind } from '@steadyhand/contracts';
import type { Sandboxes } from '../../../sandbox/client/sandboxes.ts';
import { findRuntime } from '../../../sandbox/client/hosts/container-runtime.ts';
import { SandboxPool } from '../../../sandbox/client/hosts/sandbox-pool.ts';
import { MemberProcess } from '../helpers/member-process.ts';
import { killDaemon, TestSandboxes, processesNaming } from '../helpers/sandboxes.ts';

const TOKEN = 'a token that both sides know';
const IMAGE = process.env['STEADYHAND_TEST_SANDBOX_IMAGE'];

/** One kind of sandbox, on this machine. */
export interface Backend {
  readonly isolation: IsolationKind;
  /** The agent's home, as the agent sees it. */
  readonly home: RegExp;
  readonly test: TestSandboxes;
  /** Another server's. */
  client(): Sandboxes;
  /** Kills the daemon at once, as a crash does. */
  kill(id: string): Promise<void>;
  /** What is left of a deleted sandbox: processes, containers, folders. */
  remains(id: string): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface BackendChoice {
  readonly name: string;
  /** Why it cannot be tried here; null when it can. */
  absent(): string | null;
  open(): Promise<Backend>;
}

function local(isolation: 'bubblewrap' | 'none'): BackendChoice {
  return {
    name: isolation,
    absent: () => null,
    open: async () => {
      const test = TestSandboxes.open();
      return {
        isolation,
        home: isolation === 'none' ? /\/workspace$/ : /^\/home\/agent$/,
        test,
        client: () => test.client({ isolation }),
        kill: (id) => Promise.resolve(test.killDaemon(id)),
        remains: (id) => Promise.resolve([...processesNaming(id).map(String), ...folderOf(test, id)]),
        close: () => test.close(),
      };
    },
  };
}

const remote: BackendChoice = {
  name: 'remote',
  absent: () => null,
  open: async () => {
    const test = TestSandboxes.open();
    const env = { SANDBOX_POOL_TOKEN: TOKEN, SANDBOX_ISOLATION: 'bubblewrap' };
    const member = await MemberProcess.start(test.memberEntry, env);
    const logger = { info: () => undefined, warn: () => undefined };
    const clients: Sandboxes[] = [];
    const open = (): Sandboxes => {
      const pool = new SandboxPool({ dir: test.dir, token: TOKEN, addresses: [member.address], logger });
      const client = test.client({ isolation: 'remote', pool });
      clients.push(client);
      return client;
    };
    return {
      isolation: 'remote',
      home: /^\/home\/agent$/,
      test,
      client: open,
      kill: (id) => Promise.resolve(killDaemon(join(member.dir, id))),
      remains: (id) =>
        Promise.resolve([
          ...processesNaming(id).map(String),
          ...folderOf(test, id),
          ...[`${member.dir}/${id}`].filter(existsSync),
        ]),
      close: async () => {
        for (const { id } of await open().list()) await open().delete(id);
        await member.stop();
        await test.close();
      },
    };
  },
};

/** The product's own image, built by hand: see docs/container.md. */
const container: BackendChoice = {
  name: 'container',
  absent: () => (IMAGE === undefined ? 'STEADYHAND_TEST_SANDBOX_IMAGE names no image' : null),
  open: async () => {
    const test = TestSandboxes.open();
    const runtime = await findRuntime();
    if (!('run' in runtime)) throw new Error(runtime.reason);
    const named = (id: string): Promise<string> =>
      runtime.run(['ps', '--all', '--quiet', '--filter', `label=steadyhand.sandbox=${id}`]);
    return {
      isolation: 'container',
      home: /^\/home\/agent$/,
      test,
      client: () => test.client({ isolation: 'container', containerImage: IMAGE ?? '' }),
      kill: async (id) => void (await runtime.run(['kill', await named(id)])),
      remains: async (id) => {
        const volumes = await runtime.run(['volume', 'ls', '--quiet']);
        return [
          await named(id),
          ...volumes.split('\n').filter((name) => name.endsWith(id)),
          ...folderOf(test, id),
        ].filter((found) => found !== '');
      },
      close: () => test.close(),
    };
  },
};

export const BACKENDS: readonly BackendChoice[] = [local('none'), local('bubblewrap'), remote, container];

function folderOf(test: TestSandboxes, id: string): string[] {
  return [test.folderOf(id)].filter(existsSync);
}
