import { connect, createServer } from 'node:net';
import { joinStreams } from '../egress/tunnel.ts';

/** Programs inside reach the egress proxy at this port of the sandbox's own loopback device. */
export const EGRESS_PORT = 3128;

/** Listens on the loopback of this network namespace and forwards each connection to the proxy's socket. */
export function relayEgress(socketPath: string): Promise<void> {
  const server = createServer({ allowHalfOpen: true }, (near) => {
    void joinStreams(near, connect({ path: socketPath, allowHalfOpen: true }));
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(EGRESS_PORT, '127.0.0.1', () => resolve());
  });
}
