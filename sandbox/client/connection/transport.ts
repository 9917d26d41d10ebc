import { closeSync, constants, openSync } from 'node:fs';
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestOptions,
  request,
} from 'node:http';
import { join } from 'node:path';

/** The number of idle connections that are kept open to one daemon. */
export const MAX_IDLE = 4;
/** A socket address has room for a path of 107 bytes. */
const MAX_SOCKET_NAME = 107;

/** Opens HTTP connections to one daemon. */
export interface Transport {
  /** Works like `http.request`; `agent: false` opens a connection of its own. */
  request(options: RequestOptions, answered?: (answer: IncomingMessage) => void): ClientRequest;
  close(): void;
}

/** Connects to the Unix socket of that name in a folder, however deep the folder lies. */
export function unixTransport(folder: string, socket: string): Transport {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: MAX_IDLE });
  const path = join(folder, socket);
  const short = Buffer.byteLength(path) <= MAX_SOCKET_NAME;
  // A socket in a deep folder is reached through an open descriptor of the folder, whose own path is short.
  const folderFd = short ? null : openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  const socketPath = folderFd === null ? path : `/proc/self/fd/${folderFd}/${socket}`;
  return {
    request: (options, answered) => request({ agent, ...options, socketPath }, answered),
    close: () => {
      agent.destroy();
      if (folderFd !== null) closeSync(folderFd);
    },
  };
}

/** The same transport with a header on every request. */
export function withHeader(transport: Transport, name: string, value: string): Transport {
  return {
    request: ({ headers, ...options }, answered) =>
      transport.request(
        { ...options, headers: { ...(headers as OutgoingHttpHeaders), [name]: value } },
        answered,
      ),
    close: () => transport.close(),
  };
}
