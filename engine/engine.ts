import type { TLSConfig } from '@temporalio/client';
import type { AccessToken } from './access-token.ts';

/** Where Temporal comes from. `embedded` runs in this process, `dev-server` is a child process, `cluster` is elsewhere. */
export type EngineKind = 'embedded' | 'dev-server' | 'cluster';

/** What `Connection.connect` and `NativeConnection.connect` both take. */
export interface EngineConnection {
  /** `host:port` of the gRPC frontend. */
  readonly address: string;
  readonly tls?: TLSConfig | boolean;
  readonly apiKey?: string;
  readonly metadata?: Record<string, string>;
  /** For workers' connections, which compress by default; clients' connections never do. */
  readonly grpcCompression?: { readonly codec: 'gzip' | 'none' };
}

/** How to connect to an engine on this machine: compressing what never leaves it would only cost time. */
export function loopbackConnection(address: string, token?: AccessToken): EngineConnection {
  const plain = { address, grpcCompression: { codec: 'none' } } as const;
  // Clients take an API key for a sign of TLS, unless they are told that there is none.
  return token === undefined ? plain : { ...plain, apiKey: token.value, tls: false };
}

/** A Temporal service that clients and workers can connect to. */
export interface Engine {
  readonly kind: EngineKind;
  /** `host:port` of the gRPC frontend. */
  readonly address: string;
  readonly namespace: string;
  readonly connection: EngineConnection;
  /** The file of the token that callers present as their API key; undefined where the engine asks for none of its own. */
  readonly tokenFile?: string;
  /** Stops serving; everything already answered is durable. Safe to call twice. */
  stop(): Promise<void>;
}
