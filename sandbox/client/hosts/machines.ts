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
   * Chooses a machine that may be free and is not in `refused`. Throws SandboxError `unavailable` when there is none.
   */
  choose(config: SandboxConfig, refused: ReadonlySet<string>): Promise<string>;
  /** The transport to a sandbox's machine, which is started with `start` if that is possible; null when it is away. */
  transportTo(machine: string, id: string, start: SandboxConfig | null): Promise<Transport | null>;
  /** Ends a deleted sandbox by `release`, which resolves with whether the machine answered, or removes the machine. */
  leave(machine: string, id: string, release: () => Promise<boolean>): Promise<void>;
  close(): void;
}
