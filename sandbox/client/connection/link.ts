import type { Duplex, Readable } from 'node:stream';

export type LinkMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface LinkOptions {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/**
 * The way to a sandbox's daemon, on whatever machine it runs: HTTP, with these failures and no others: ConnectionLostError
 * (whether the daemon did what was asked is not known), SandboxError (it answered that it cannot or will not), or the
 * signal's reason.
 */
export interface SandboxLink {
  /** A call with JSON both ways. */
  call<T>(method: LinkMethod, route: string, options?: LinkOptions & { readonly body?: unknown }): Promise<T>;
  /**
   * A call whose bodies are bytes, read and written as they come. Anything but success is SandboxError. The body is the
   * caller's to read to its end or to destroy; cut short, it ends in an error.
   */
  stream(
    method: LinkMethod,
    route: string,
    options?: LinkOptions & { readonly body?: Readable | Uint8Array },
  ): Promise<{
    readonly headers: Readonly<Record<string, string | string[] | undefined>>;
    readonly body: Readable;
  }>;
  /** A byte stream both ways, as one of the daemon's upgrades gives it. */
  upgrade(route: string, options?: LinkOptions): Promise<Duplex>;
}
