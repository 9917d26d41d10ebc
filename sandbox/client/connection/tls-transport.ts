import { Agent, type RequestOptions, request } from 'node:https';
import { LINE_IDENTITY, LINE_TLS, lineKey } from '../../pool-token.ts';
import { MAX_IDLE, type Wire } from './transport.ts';

/** How long a line may be silent before the kernel asks whether the other side still lives. */
const KEEP_ALIVE_MS = 10_000;

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A line to a daemon on another machine, which has to prove that it knows the token, as we do: see `line-security.ts`. */
export function secureWire({ host, port }: Address, token: string): Wire {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: MAX_IDLE });
  const key = lineKey(token);
  const line: RequestOptions & { readonly pskCallback: () => object } = {
    ...LINE_TLS,
    host,
    port,
    pskCallback: () => ({ psk: key, identity: LINE_IDENTITY }),
    // There is no certificate: the key is the proof.
    checkServerIdentity: () => undefined,
  };
  return {
    request: (options, answered) => {
      const call = request({ agent, ...options, ...line }, answered);
      call.once('socket', (socket) => socket.setKeepAlive(true, KEEP_ALIVE_MS));
      return call;
    },
    close: () => agent.destroy(),
  };
}
