import type { DaemonHealth } from '../../daemon-health.ts';
import type { SandboxLink } from '../connection/link.ts';
import type { MachineWait } from './machines.ts';

export interface SandboxLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * The place where sandboxes of one kind run: this machine, containers, or pool machines. The id and the configuration
 * of a sandbox lie in its folder in the data folder whatever its host; see `SandboxFolders`.
 */
export interface SandboxHost {
  /** A link to the sandbox's daemon, which is started when it does not run. */
  connect(id: string): Promise<SandboxLink>;
  /** Drops a lost link; the next call looks for the daemon again. */
  forget(id: string, link: SandboxLink): void;
  /** The health of the running daemon, null when none answers. Starts nothing. */
  look(id: string): Promise<{ readonly health: DaemonHealth | null; readonly starting: boolean }>;
  /** A link to the running daemon, null when none runs. Starts nothing and waits for nothing. */
  running(id: string): Promise<SandboxLink | null>;
  /** Starts the daemon when none runs. Rejects with SandboxError `lost` when its machine is gone. */
  ensure(id: string, wait?: MachineWait): Promise<DaemonHealth>;
  /** Ends the sandbox and removes its files on this host. A sandbox that does not exist there is no error. */
  end(id: string): Promise<void>;
  /** Closes this process's connections. */
  close(): void;
}
