import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { join, relative } from 'node:path';
import type { SandboxConfig } from '../config.ts';
import { dial } from '../egress/dial.ts';
import { EgressPolicy } from '../egress/policy.ts';
import { createEgressProxy } from '../egress/proxy.ts';
import { RequestLog } from '../egress/request-log.ts';
import { readEgressSettings } from '../egress/settings.ts';
import { EGRESS_SOCKET, layoutOf } from '../layout.ts';

/** A sandbox's way out and its log. */
export interface Egress {
  readonly log: RequestLog;
  close(): void;
}

/**
 * Serves the egress proxy on a socket in a folder of its own, which is all of it that is seen inside; the working directory is
 * the sandbox's folder. Without a network, and where nothing forces programs through it, there is none, and the log stays.
 */
export async function openEgress(folder: string, config: SandboxConfig): Promise<Egress> {
  const layout = layoutOf(folder);
  const log = new RequestLog(layout.networkLog);
  // There in any case: it is bound into the sandbox.
  mkdirSync(layout.egress, { recursive: true });
  chmodSync(layout.egress, 0o755);
  const socket = join(layout.egress, EGRESS_SOCKET);
  rmSync(socket, { force: true });
  if (!hasEgress(config)) return { log, close: () => undefined };
  const policy = new EgressPolicy(config.networking, readEgressSettings(process.env));
  const server = createEgressProxy({
    dial: (target) => dial(target, { policy, env: process.env }),
    log,
    checkServerName: config.networking.type === 'limited',
  });
  // By its short name: a socket's address holds 107 bytes.
  await listening(server, relative(process.cwd(), socket));
  chmodSync(socket, 0o666);
  return {
    log,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Whether the programs inside have the proxy, and nothing but the proxy. */
export function hasEgress({
  isolation,
  networking,
}: Pick<SandboxConfig, 'isolation' | 'networking'>): boolean {
  return isolation === 'bubblewrap' && networking.type !== 'none';
}

function listening(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}
