import type { DaemonHealth } from '../../daemon-health.ts';
import type { SandboxLink } from '../connection/link.ts';

export interface SandboxLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Where the sandboxes of one kind live: on this machine, in containers, on machines elsewhere. What a sandbox is called and
 * was created with lies in its folder here whatever its host; see `SandboxFolders`.
 */
export interface SandboxHost {
  /** A link to the sandbox's daemon; it is started when it does not run. */
  connect(id: string): Promise<SandboxLink>;
  /** Drops a link that was lost; the next call looks for the daemon anew. */
  forget(id: string, link: SandboxLink): void;
  /** The health of the running daemon, null when none answers; starts nothing. */
  look(id: string): Promise<{ readonly health: DaemonHealth | null; readonly starting: boolean }>;
  /** A link to the running daemon, null when none runs; starts nothing and waits for nothing. */
  running(id: string): Promise<SandboxLink | null>;
  /** Starts the daemon when none runs. */
  ensure(id: string): Promise<DaemonHealth>;
  /** Ends the sandbox there, its files too when they are not in its folder here; one that is not there is no error. */
  end(id: string): Promise<void>;
  /** Closes this process's connections. */
  close(): void;
}
