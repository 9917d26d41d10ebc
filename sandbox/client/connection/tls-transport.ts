import { Agent, type RequestOptions, request } from 'node:https';
import { PSK_IDENTITY, POOL_TLS, preSharedKey } from '../../pool-token.ts';
import type { Address } from '../../registry/registry.ts';
import { MAX_IDLE, type Transport } from './transport.ts';

/** How long a connection may be idle before the kernel checks whether the other side still lives. */
const KEEP_ALIVE_MS = 10_000;

/** Opens connections to another machine's daemon; both sides prove that they know the token (`pool-token.ts`). */
export function tlsTransport({ host, port }: Address, token: string): Transport {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: MAX_IDLE });
  const key = preSharedKey(token);
  const line: RequestOptions & { readonly pskCallback: () => object } = {
    ...POOL_TLS,
    host,
    port,
    pskCallback: () => ({ psk: key, identity: PSK_IDENTITY }),
    // There is no certificate; the pre-shared key is the proof.
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
