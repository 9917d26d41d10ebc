import type { AddressInfo, Server } from 'node:net';

/** Has the server listen on a free port, and gives that port. */
export async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return (server.address() as AddressInfo).port;
}
