import type { JsonObject } from './json.ts';

/** Which machine has a sandbox; `number` counts the placements that the sandbox has had. */
export interface SandboxPlacement {
  readonly machine: string;
  /** Whether the machine has answered that it has the sandbox. */
  readonly held: boolean;
  readonly number: number;
}

export interface SandboxRow {
  readonly config: JsonObject;
  readonly placement: SandboxPlacement | null;
  /** Its deletion has begun. */
  readonly deleted: boolean;
  /** Why it was given up. */
  readonly lost: string | null;
  readonly damage: string | null;
}

/** A machine that holds sandboxes, with what it told last. */
export interface SandboxMachine {
  readonly state: JsonObject;
  /** When that was, in milliseconds since the epoch, by the store's clock. */
  readonly seen: number;
  /** Milliseconds since then. */
  readonly silentMs: number;
}

export interface SandboxPlaceRequest {
  readonly sandbox: string;
  /** The number of the placement that the caller has read; 0 for none. */
  readonly before: number;
  /** Who has not asked for this long is passed over in the line. */
  readonly lineSilenceMs: number;
  /** Machines that are silent for longer are not offered. */
  readonly awayMs: number;
  /**
   * Chooses a machine by its id; null when none has room. It runs within the transaction, and has to be pure.
   * `placed` are the sandboxes that were given places, by machine; `ahead` those that are ahead in the line.
   */
  readonly choose: (
    machines: readonly JsonObject[],
    placed: ReadonlyMap<string, ReadonlySet<string>>,
    ahead: number,
  ) => string | null;
}

export type SandboxPlaceAnswer =
  | { readonly type: 'placed'; readonly placement: SandboxPlacement }
  | { readonly type: 'changed' }
  | { readonly type: 'waiting'; readonly ahead: number };

/**
 * The sandboxes of the pool, their machines, and the line of those that wait for a place. A store that one machine has
 * to itself keeps none of this: there the sandboxes' folders tell it.
 */
export interface SandboxRecords {
  /** Adds a sandbox. An id that is taken stays as it is. */
  add(id: string, config: JsonObject): Promise<void>;
  find(id: string): Promise<SandboxRow | undefined>;
  /** The ids of all sandboxes, also of those that are being deleted. */
  ids(): Promise<readonly string[]>;
  markDeleted(id: string): Promise<void>;
  remove(id: string): Promise<void>;
  noteDamage(id: string, damage: string | null): Promise<void>;
  /** Gives a sandbox up; false when its placement has another number. */
  markLost(id: string, number: number, reason: string): Promise<boolean>;
  markInterrupted(id: string, key: string): Promise<void>;
  isInterrupted(id: string, key: string): Promise<boolean>;
  /** Writes the placement that follows the one of this number; undefined when another process was faster. */
  place(
    id: string,
    before: number,
    placement: Omit<SandboxPlacement, 'number'>,
  ): Promise<SandboxPlacement | undefined>;
  /** Takes a free place on a machine, or a place in the line for one. */
  takePlace(request: SandboxPlaceRequest): Promise<SandboxPlaceAnswer>;
  leaveLine(sandbox: string): Promise<void>;
  /** How many sandboxes wait, of those that have asked within this time. */
  waiting(lineSilenceMs: number): Promise<number>;
  /** How many sandboxes are lost and not yet removed. */
  lost(): Promise<number>;
  /** Records a machine as seen now. */
  putMachine(id: string, state: JsonObject): Promise<void>;
  machine(id: string): Promise<SandboxMachine | undefined>;
  machines(): Promise<readonly SandboxMachine[]>;
  removeMachine(id: string): Promise<void>;
}
