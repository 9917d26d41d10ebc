import type { SandboxConfig } from '../../config.ts';
import type { Transport } from '../connection/transport.ts';

/**
 * Machines of one kind that hold one sandbox each: pool machines, or containers of this machine.
 * `sandbox/pool-machine/protocol.ts` defines the requests to them.
 */
export interface Machines {
  /** Milliseconds that a machine may be unreachable or starting before a call gives up. */
  readonly startTimeoutMs: number;
  /**
   * Chooses a machine that may be free and is not in `refused`, for `MachineHost` to claim. Throws SandboxError
   * `unavailable` when there is none.
   */
  choose(config: SandboxConfig, refused: ReadonlySet<string>): Promise<string>;
  /**
   * The transport to a sandbox's machine; null when it is not there now. With `start`, a machine that this process can
   * start is started.
   */
  transportTo(machine: string, id: string, start: SandboxConfig | null): Promise<Transport | null>;
  /**
   * Ends a deleted sandbox on its machine by calling `release`, which resolves with whether the machine answered, or by
   * removing the machine itself.
   */
  leave(machine: string, id: string, release: () => Promise<boolean>): Promise<void>;
  close(): void;
}
