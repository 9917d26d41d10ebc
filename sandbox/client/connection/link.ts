import type { Duplex, Readable } from 'node:stream';

export type LinkMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface LinkOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
  /** Names the span that asks, so that the daemon can say what it belongs to. */
  readonly traceparent?: string | undefined;
  /** Receives the answer's headers. */
  readonly answered?:
    | ((headers: Readonly<Record<string, string | string[] | undefined>>) => void)
    | undefined;
}

/**
 * A connection to a sandbox's daemon on whatever machine it runs. It speaks HTTP and fails with these errors only:
 * ConnectionLostError (whether the daemon did what was asked is not known), SandboxError (the daemon refused), or the
 * signal's reason.
 */
export interface SandboxLink {
  /** Makes a call whose bodies are JSON. */
  call<T>(method: LinkMethod, route: string, options?: LinkOptions & { readonly body?: unknown }): Promise<T>;
  /**
   * Makes a call whose bodies are byte streams. A refusal is a SandboxError. The caller has to read the answer's body
   * to its end or destroy it; when it is cut short the stream ends in an error.
   */
  stream(
    method: LinkMethod,
    route: string,
    options?: LinkOptions & { readonly body?: Readable | Uint8Array },
  ): Promise<{
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly body: Readable;
  }>;
  /** Opens a byte stream both ways through one of the daemon's upgrades. */
  upgrade(route: string, options?: LinkOptions): Promise<Duplex>;
}
