import { SandboxError } from '@steadyhand/contracts';
import type { Daemon } from '../daemon.ts';
import type { DaemonUpgrade } from './server.ts';

/** `/egress`: the line over which a server makes this sandbox's connections; see `sandbox/egress/line.ts`. */
export function egressUpgrades({ egressLines }: Pick<Daemon, 'egressLines'>): readonly DaemonUpgrade[] {
  return [
    {
      path: '/egress',
      handle: (_request, socket, head) => {
        if (egressLines === null)
          return Promise.reject(
            new SandboxError('invalid_request', 'this sandbox does not go out through a server'),
          );
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: steadyhand\r\n\r\n',
        );
        if (head.length > 0) socket.unshift(head);
        egressLines.add(socket);
        return Promise.resolve();
      },
    },
  ];
}
