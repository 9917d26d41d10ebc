import type { SandboxConfig } from '../../config.ts';
import type { FoundPlacement } from '../../registry/registry.ts';
import type { Transport } from '../connection/transport.ts';

/** How long a caller waits for a machine. */
export interface MachineWait {
  /** Milliseconds to wait for a free place, and for a machine that is away. Default: the kind of machine's own. */
  readonly waitMs?: number | undefined;
  /** Ends the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Called when no place is free, so that the sandbox waits in line. */
  readonly onWaiting?: (() => void) | undefined;
}

export interface PlacementRequest extends MachineWait {
  readonly config: SandboxConfig;
  /** The placement that was read; null for a sandbox that has none. */
  readonly before: FoundPlacement | null;
  /** The machines that have refused this sandbox a moment ago. */
  readonly refused: () => ReadonlySet<string>;
}

/**
 * Machines of one kind: pool machines, or containers of this machine. `sandbox/pool-machine/protocol.ts` defines the
 * requests to them.
 */
export interface Machines {
  /** Milliseconds that a machine may be unreachable or starting before a call gives up. */
  readonly startTimeoutMs: number;
  /** Milliseconds after which a silent machine counts as gone for good; infinite for those that are started here. */
  readonly lostAfterMs: number;
  /**
   * Places a sandbox on a machine that may be free. Null when another process has placed it, or has begun to delete
   * it, meanwhile. Throws SandboxError `no_place` when none became free in time.
   */
  place(request: PlacementRequest): Promise<FoundPlacement | null>;
  /** Milliseconds since a machine was heard of; null when nothing is known of it. */
  silentMs(machine: string): Promise<number | null>;
  /** The transport to a sandbox's machine, which is started with `start` if that is possible; null when it is away. */
  transportTo(machine: string, id: string, start: SandboxConfig | null): Promise<Transport | null>;
  /** Ends a deleted sandbox by `release`, which resolves with whether the machine answered, or removes the machine. */
  leave(machine: string, id: string, release: () => Promise<boolean>): Promise<void>;
  close(): void;
}
