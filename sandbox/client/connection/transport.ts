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

/** Idle connections kept open to one daemon. */
export const MAX_IDLE = 4;
/** A socket address holds 107 bytes of name. */
const MAX_SOCKET_NAME = 107;

/** Opens HTTP connections to one daemon. */
export interface Wire {
  /** As `http.request`; `agent: false` takes a connection of its own. */
  request(options: RequestOptions, answered?: (answer: IncomingMessage) => void): ClientRequest;
  close(): void;
}

/** The Unix socket of that name in a folder, however deep the folder lies. */
export function unixWire(folder: string, socket: string): Wire {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: MAX_IDLE });
  const path = join(folder, socket);
  const short = Buffer.byteLength(path) <= MAX_SOCKET_NAME;
  // A deep folder: reach the socket through an open handle on it, whose own name is short.
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

/** The same wire, with a header on every request. */
export function withHeader(wire: Wire, name: string, value: string): Wire {
  return {
    request: ({ headers, ...options }, answered) =>
      wire.request({ ...options, headers: { ...(headers as OutgoingHttpHeaders), [name]: value } }, answered),
    close: () => wire.close(),
  };
}
