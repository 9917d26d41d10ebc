import type { Logger } from 'pino';
import type { EngineKind } from '../engine/engine.ts';
import type { ProviderRegistry } from '../messages/providers/registry.ts';
import type { ActionOutcome, ActionRequest, Compat, DisplaySize, SandboxInfo } from '../sandbox/protocol.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Blobs } from '../store/blobs.ts';
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
  readonly sessions: Sessions;
  readonly blobs: Blobs;
  readonly runtime: SessionRuntime;
  readonly sandboxes: SandboxService;
}

/** What `/health` tells beside `status`, `version` and `uptime_s`. */
export interface Health {
  readonly version: string;
  readonly engine: { readonly kind: EngineKind; readonly address: string; readonly namespace: string };
  /** Whether sandboxes can have a desktop here, behind which isolation, and why not. */
  readonly desktop: {
    readonly available: boolean;
    readonly isolation: SandboxInfo['isolation'] | null;
    readonly reason: string | null;
  };
}

/** The running side of a session: its workflow, and the sandbox that this made. */
export interface SessionRuntime {
  /**
   * Events stand in the session's outbox: the workflow is to take them, and is started when there is none. They are
   * durable already, so this may only be late, never lost; calling it for nothing does nothing.
   */
  deliver(session: string): Promise<void>;
  /** The machine's state, e.g. `tool_use` or `awaiting_approval`; null when the session has never run. */
  state(session: string): Promise<string | null>;
  /** Ends the workflow and the sandbox for good. Safe to call twice and for a session that never ran. */
  end(session: string): Promise<void>;
}

/** Sandboxes for people who bring their own loop. Unknown ids reject with an ApiError `not_found_error`. */
export interface SandboxService {
  create(options: { readonly display: DisplaySize; readonly compat: Compat }): Promise<SandboxInfo>;
  list(): Promise<readonly SandboxInfo[]>;
  get(id: string): Promise<SandboxInfo>;
  /** PNG bytes. */
  screenshot(id: string): Promise<Uint8Array>;
  /** Acts once under the request's key. An action that runs is not stopped when its caller goes away. */
  perform(id: string, request: ActionRequest): Promise<ActionOutcome>;
  /** Ends its processes and removes its files. */
  delete(id: string): Promise<void>;
}
