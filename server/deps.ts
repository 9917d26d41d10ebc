import type { Logger } from 'pino';
import type { EngineKind } from '../engine/engine.ts';
import type { ProviderRegistry } from '../messages/providers/registry.ts';
import type { Access } from './auth/access.ts';

/** What the server is made of. Everything that acts comes in from outside; the server only speaks HTTP. */
export interface ServerDeps {
  /** 0 takes a free port. */
  readonly port: number;
  readonly host: string;
  readonly access: Access;
  readonly log: Logger;
  /** The folder of `index.html`, served under /static. */
  readonly staticDir: string;
  readonly newId: (prefix: string) => string;
  readonly health: () => Health;
  readonly providers: ProviderRegistry;
}

/** What `/health` tells beside `status`, `version` and `uptime_s`. */
export interface Health {
  readonly version: string;
  readonly engine: { readonly kind: EngineKind; readonly address: string; readonly namespace: string };
  /** Whether sandboxes can have a desktop here, behind which isolation, and why not. */
  readonly desktop: {
    readonly available: boolean;
    readonly isolation: 'bubblewrap' | 'none' | 'container' | 'remote' | null;
    readonly reason: string | null;
  };
}
