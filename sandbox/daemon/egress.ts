import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { ListenOptions } from 'node:net';
import { join, relative } from 'node:path';
import type { Duplex } from 'node:stream';
import type { SandboxConfig } from '../config.ts';
import { DeniedError, dial } from '../egress/dial.ts';
import { LineEnds } from '../egress/line.ts';
import { EgressPolicy } from '../egress/policy.ts';
import { createEgressProxy } from '../egress/proxy.ts';
import { RequestLog } from '../egress/request-log.ts';
import { readEgressSettings } from '../egress/settings.ts';
import type { Target } from '../egress/target.ts';
import { EGRESS_PORT } from '../guest/egress-relay.ts';
import { EGRESS_SOCKET, layoutOf } from '../layout.ts';

/** Who makes a sandbox's connections: the daemon, or a server over a line that it opens to the daemon. */
export type EgressWay = 'direct' | 'server';

/** The egress proxy of a sandbox and its log. */
export interface Egress {
  readonly log: RequestLog;
  /** Null when no server makes the connections. */
  readonly lines: LineEnds | null;
  close(): void;
}

/**
 * Serves the egress proxy. Its socket has a folder of its own, which is all of it that is seen inside (the working
 * directory is the sandbox's folder); in a container it listens on the loopback that daemon and guest share. There is
 * no proxy without a network, and none when nothing forces programs to use it; the log is there all the same.
 */
export async function openEgress(
  folder: string,
  config: SandboxConfig,
  way: EgressWay = 'direct',
): Promise<Egress> {
  const layout = layoutOf(folder);
  const log = new RequestLog(layout.networkLog);
  // The folder is always made, because it is bound into the sandbox.
  mkdirSync(layout.egress, { recursive: true });
  chmodSync(layout.egress, 0o755);
  const socket = join(layout.egress, EGRESS_SOCKET);
  rmSync(socket, { force: true });
  if (!hasEgress(config)) return { log, lines: null, close: () => undefined };
  const lines = way === 'server' ? new LineEnds() : null;
  const server = createEgressProxy({
    dial: lines === null ? direct(config) : through(lines, config),
    log,
    checkServerName: config.networking.type === 'limited',
  });
  if (config.isolation === 'container') await listening(server, { port: EGRESS_PORT, host: '127.0.0.1' });
  else {
    // The name is relative, because a socket's address has room for 107 bytes.
    await listening(server, { path: relative(process.cwd(), socket) });
    chmodSync(socket, 0o666);
  }
  return {
    log,
    lines,
    close: () => {
      server.close();
      server.closeAllConnections();
      lines?.close();
    },
  };
}

/** Whether the programs inside can use the proxy and nothing but the proxy. */
function hasEgress({ isolation, networking }: Pick<SandboxConfig, 'isolation' | 'networking'>): boolean {
  return (isolation === 'bubblewrap' || isolation === 'container') && networking.type !== 'none';
}

type Dial = (target: Target) => Promise<Duplex>;

function direct({ networking }: SandboxConfig): Dial {
  const policy = new EgressPolicy(networking, readEgressSettings(process.env));
  return (target) => dial(target, { policy, env: process.env });
}

/**
 * Refuses what the sandbox's own list rules out without asking the server. The server decides on addresses and on the
 * mirrors of its machine, because names are not resolved here.
 */
function through(lines: LineEnds, { networking }: SandboxConfig): Dial {
  const policy = new EgressPolicy(networking, { allow_private: ['0.0.0.0/0', '::/0'], mirrors: [] });
  const decided = networking.type === 'limited' && !networking.allow_package_managers;
  return async (target) => {
    const refusal = decided ? policy.nameRefusal(target) : null;
    if (refusal !== null) throw new DeniedError(refusal);
    return lines.dial(target);
  };
}

function listening(server: Server, address: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
}
