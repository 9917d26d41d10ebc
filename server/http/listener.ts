import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerConnectionErrors } from './connection-errors.ts';
import { createDrain, type Drain } from './drain.ts';

/** How long a request may take to arrive whole: as long as the official clients wait, for uploads over slow lines. */
const REQUEST_MS = 600_000;

export interface ListenerAddress {
  readonly url: string;
  readonly port: number;
}

/** An HTTP port whose answers may change: while a process starts, it answers probes alone. */
export interface Listener {
  readonly http: Server;
  readonly drain: Drain;
  /** Lets this answer all requests that begin from now on. */
  show(app: RequestListener): void;
  /** Binds the port, where that has not been done. Rejects when it is taken. */
  listen(host: string, port: number): Promise<ListenerAddress>;
}

/** Nothing is bound and nothing is answered before `listen` and `show`. */
export function createListener(): Listener {
  // Kept longer than clients and proxies keep theirs, so that none sends into a connection that closes.
  const http = createServer({ keepAliveTimeout: 75_000, requestTimeout: REQUEST_MS });
  answerConnectionErrors(http);
  const drain = createDrain(http);
  let shown: RequestListener | undefined;
  let bound: Promise<ListenerAddress> | undefined;
  return {
    http,
    drain,
    show(app) {
      if (shown !== undefined) http.off('request', shown);
      shown = app;
      http.on('request', app);
    },
    listen: (host, port) => (bound ??= bind(http, host, port)),
  };
}

function bind(http: Server, hostName: string, wanted: number): Promise<ListenerAddress> {
  return new Promise((resolve, reject) => {
    http.once('error', reject);
    http.listen(wanted, hostName, () => {
      http.off('error', reject);
      const { port } = http.address() as AddressInfo;
      const host = hostName.includes(':') ? `[${hostName}]` : hostName;
      resolve({ url: `http://${host}:${port}`, port });
    });
  });
}
