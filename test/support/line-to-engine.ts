import { connect, createServer, type Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import type { TestEngine } from './engine.ts';
import { listening } from './listening.ts';

interface Line {
  readonly client: Client;
  /** From now on nothing comes through, as when a machine is gone. */
  fallSilent(): void;
  close(): Promise<void>;
}

/** A client of an engine by way of a line that can fall silent. */
export async function lineTo(engine: TestEngine): Promise<Line> {
  const sockets: Socket[] = [];
  const [, port] = engine.connection.address.split(':');
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    for (const socket of [near, far]) sockets.push(socket.on('error', () => undefined));
    near.pipe(far).pipe(near);
  });
  const address = `127.0.0.1:${await listening(server)}`;
  const connection = await Connection.connect({ ...engine.connection, address });
  return {
    client: new Client({ connection }),
    fallSilent: () => sockets.forEach((socket) => socket.unpipe()),
    async close() {
      await connection.close();
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
