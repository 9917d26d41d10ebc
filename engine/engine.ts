import type { ConnectionOptions } from '@temporalio/client';

/** Where Temporal comes from. `embedded` runs in this process, `dev-server` is a child process, `cluster` is elsewhere. */
export type EngineKind = 'embedded' | 'dev-server' | 'cluster';

/** A Temporal service that clients and workers can connect to. */
export interface Engine {
  readonly kind: EngineKind;
  /** `host:port` of the gRPC frontend. */
  readonly address: string;
  readonly namespace: string;
  /** Options for `Connection.connect` and `NativeConnection.connect` (address, TLS, API key). */
  readonly connection: Pick<ConnectionOptions, 'address' | 'tls' | 'apiKey' | 'metadata'>;
  /** Stops serving; everything already answered is durable. Safe to call twice. */
  stop(): Promise<void>;
}
