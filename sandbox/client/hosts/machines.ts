import type { SandboxConfig } from '../../config.ts';
import type { Transport } from '../connection/transport.ts';

/**
 * Machines of one kind that take one sandbox each: members of the pool, containers of this machine. What they are told is told
 * in `sandbox/member/protocol.ts`.
 */
export interface Machines {
  /** Milliseconds that a machine may be away, or be starting, before a call gives up. */
  readonly startTimeoutMs: number;
  /**
   * A machine that may be free, for `MachineHost` to claim; not one of those in `refused`. Throws SandboxError `unavailable` when
   * there is none.
   */
  choose(config: SandboxConfig, refused: ReadonlySet<string>): Promise<string>;
  /** The way to a sandbox's machine; null when it is not there now. With `start` it is started where that is ours to do. */
  transportTo(machine: string, id: string, start: SandboxConfig | null): Promise<Transport | null>;
  /**
   * The sandbox is deleted: ends it on the machine by `release` (which answers whether the machine was told), or by taking the
   * machine itself away.
   */
  leave(machine: string, id: string, release: () => Promise<boolean>): Promise<void>;
  close(): void;
}
