import type { SandboxConfig } from '../config.ts';
import type { MachineState } from '../pool-machine/protocol.ts';

/**
 * Which machine has a sandbox. It is written before the machine is asked, so that a claim whose answer was lost is
 * repeated on the same machine. `held` is set when the claim was answered: from then on the sandbox is on that machine
 * or lost, never elsewhere.
 */
export interface Placement {
  readonly machine: string;
  readonly held: boolean;
}

/** A placement as it was read; `number` counts the placements that the sandbox has had. */
export interface FoundPlacement extends Placement {
  readonly number: number;
}

/** What is recorded of a sandbox. */
export interface SandboxRecord {
  readonly config: SandboxConfig;
  /** Null before a machine was chosen, and for a sandbox that needs none. */
  readonly placement: FoundPlacement | null;
  /** Its deletion has begun: for callers it does not exist any more. */
  readonly deleted: boolean;
  /** Why its machine is given up, with its files and programs; null for a sandbox that is not lost. */
  readonly lost: string | null;
  /** The damage that its last start found; null when it found none. */
  readonly damage: string | null;
}

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** What is known of a pool machine. */
export interface KnownMachine extends MachineState {
  readonly address: Address;
  /** When it last registered or answered, in milliseconds since the epoch. */
  readonly seen: number;
  /** Milliseconds since then, by the clock that `seen` is of. */
  readonly silentMs: number;
}

export interface PlaceRequest {
  readonly sandbox: string;
  /** The placement that the caller has read; null for the first one. */
  readonly before: FoundPlacement | null;
  /** Machines that have refused this sandbox. */
  readonly refused: ReadonlySet<string>;
  /** Machines that are silent for longer are not chosen. */
  readonly awayMs: number;
}

/**
 * What came of a request for a place: the placement; or `changed`, when the sandbox was placed, or its deletion begun,
 * meanwhile; or how many sandboxes are ahead in the line for the next free place.
 */
export type PlaceAnswer =
  | { readonly type: 'placed'; readonly placement: FoundPlacement }
  | { readonly type: 'changed' }
  | { readonly type: 'waiting'; readonly ahead: number };

/** A sandbox that has not asked for its place for this long is passed over by those behind it in the line. */
export const LINE_SILENCE_MS = 15_000;

/**
 * The records of sandboxes and pool machines, which every process of an installation shares. Each method is a
 * transaction. Reads of one sandbox throw DamagedFileError when its record cannot be read.
 */
export interface SandboxRegistry {
  /** The name by which machines distinguish the sandboxes of this installation from those of others. */
  owner(): Promise<string>;
  /** Adds a sandbox. An id that is taken stays as it is. */
  add(config: SandboxConfig): Promise<void>;
  /** What is recorded of a sandbox, also while it is being deleted. */
  find(id: string): Promise<SandboxRecord | null>;
  /** Whether anything is recorded of a sandbox, also of one that is damaged or half deleted. */
  has(id: string): Promise<boolean>;
  /** The placement alone, which can be read although the rest is damaged. */
  placement(id: string): Promise<FoundPlacement | null>;
  /** The ids of all sandboxes, also of those that are being deleted. */
  ids(): Promise<readonly string[]>;
  /** Hides a sandbox from callers. A deletion that is cut short after this is finished later. */
  markDeleted(id: string): Promise<void>;
  /** Removes all that is recorded of a sandbox. */
  remove(id: string): Promise<void>;
  /** Records the damage that a start has found, or with null that a start has succeeded. */
  noteDamage(id: string, reason: string | null): Promise<void>;
  /** Gives a sandbox up; false when its placement is not this one any more. */
  markLost(id: string, placement: FoundPlacement, reason: string): Promise<boolean>;
  /**
   * Marks the action of a key as interrupted: from now on, in every process, it is not begun, and its recorded outcome
   * is returned.
   */
  markInterrupted(id: string, key: string): Promise<void>;
  isInterrupted(id: string, key: string): Promise<boolean>;
  /**
   * Writes the placement that follows one that was read, or the first. Null when another process was faster: its
   * placement is valid then, so that no sandbox is placed twice.
   */
  follow(id: string, before: FoundPlacement | null, placement: Placement): Promise<FoundPlacement | null>;
  /**
   * Takes a free place on a machine of the pool, or a place in the line for one: who asked first is served first. A
   * request that is not repeated within `LINE_SILENCE_MS` is passed over until it is.
   */
  takePlace(request: PlaceRequest): Promise<PlaceAnswer>;
  /** Leaves the line. */
  leaveLine(sandbox: string): Promise<void>;
  /** How many sandboxes wait for a place now. */
  waiting(): Promise<number>;
  /** How many sandboxes are lost and not yet deleted. */
  lost(): Promise<number>;
  /** Records a machine as seen now. */
  putMachine(machine: Omit<KnownMachine, 'seen' | 'silentMs'>): Promise<void>;
  machine(member: string): Promise<KnownMachine | null>;
  machines(): Promise<readonly KnownMachine[]>;
  removeMachine(member: string): Promise<void>;
}
