import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ContainerRuntime, LINK_INSIDE, SOCKET } from './container-runtime.ts';

/** What carries bytes between its own streams and the daemon's socket, inside the container. */
const CARRIER = `
const socket = require('net').connect(${JSON.stringify(`${LINK_INSIDE}/${SOCKET}`)});
socket.on('error', () => process.exit(1));
process.stdin.pipe(socket).pipe(process.stdout);
`;

/**
 * A Unix socket on this machine that leads to the daemon's socket in a container, for containers that run on another kernel, as
 * on macOS: no socket in a folder works from one to the other, and the container has no network. Each connection is a command
 * in the container; HTTP keeps a few of them open.
 */
export interface ContainerRelay {
  /** The folder of the socket, which is called as the daemon's. It is closed to other users. */
  readonly folder: string;
  close(): void;
}

export async function openRelay(runtime: ContainerRuntime, container: string): Promise<ContainerRelay> {
  const folder = mkdtempSync(join(tmpdir(), 'steadyhand-'));
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    open.add(near);
    const carrier = runtime.start(['exec', '--interactive', container, 'node', '-e', CARRIER]);
    near.pipe(carrier.stdin);
    carrier.stdout.pipe(near);
    near.on('error', () => near.destroy());
    carrier.stdin.on('error', () => near.destroy());
    carrier.once('error', () => near.destroy());
    near.once('close', () => {
      open.delete(near);
      carrier.kill();
    });
  });
  try {
    server.listen(join(folder, SOCKET)).unref();
    await once(server, 'listening');
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return {
    folder,
    close() {
      server.close();
      for (const near of open) near.destroy();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
