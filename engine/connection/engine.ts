import type { TLSConfig } from '@temporalio/client';

/** Where Temporal runs: `embedded` in this process, `dev-server` in a child process, `cluster` elsewhere. */
export type EngineKind = 'embedded' | 'dev-server' | 'cluster';

/** What `Connection.connect` and `NativeConnection.connect` both take. */
export interface EngineConnection {
  /** `host:port` of the gRPC frontend. */
  readonly address: string;
  readonly tls?: TLSConfig | boolean;
  readonly apiKey?: string;
  readonly metadata?: Record<string, string>;
  /** The compression of workers' connections, which compress by default. Clients' connections never do. */
  readonly grpcCompression?: { readonly codec: 'gzip' | 'none' };
}

/** Says how to connect to an engine on this machine. Compression would only cost time there. */
export function loopbackConnection(address: string, apiKey?: string): EngineConnection {
  const plain = { address, grpcCompression: { codec: 'none' } } as const;
  // Clients use TLS when there is an API key, unless `tls` says that there is none.
  return apiKey === undefined ? plain : { ...plain, apiKey, tls: false };
}

/** A Temporal service that clients and workers can connect to. */
export interface Engine {
  readonly kind: EngineKind;
  /** `host:port` of the gRPC frontend. */
  readonly address: string;
  readonly namespace: string;
  readonly connection: EngineConnection;
  /**
   * The file of the token that callers present as their API key; undefined when the engine asks for none of its own.
   */
  readonly tokenFile?: string;
  /** `host:port` where clients come in by TLS; undefined where none do. */
  readonly tlsAddress?: string;
  /** The Unix socket on which callers are served without a key; undefined where there is none. */
  readonly socketFile?: string;
  /** Stops serving. Everything that was answered is durable. It is safe to call this twice. */
  stop(): Promise<void>;
}
