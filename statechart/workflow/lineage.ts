import { deprecatePatch, patched, workflowInfo } from '@temporalio/workflow';
import type { AnyStateMachine } from 'xstate';
import { identityOf, identityText, isSameMachine, type MachineIdentity } from '../core/machine-identity.ts';
import {
  holdMark,
  LOCALLY_MARK,
  machineMark,
  migrationMark,
  RECORDED_MARK,
  releaseMark,
} from '../core/lineage-marks.ts';
import type { Held } from '../core/messages.ts';
import { migrateCarried, MigrationError, type Migration } from '../core/migration.ts';
import type { CarriedRun } from './machine-start.ts';

/** A machine that the worker knows. */
export interface KnownMachine {
  /** As its author wrote it. */
  readonly machine: AnyStateMachine;
  /** With the logic that its sources run by. */
  readonly prepared: AnyStateMachine;
  readonly identity: MachineIdentity;
}

export const knownMachine = (machine: AnyStateMachine, prepared: AnyStateMachine): KnownMachine => ({
  machine,
  prepared,
  identity: identityOf(machine),
});

interface LineageOptions {
  /** The newest machine first. */
  readonly known: readonly [KnownMachine, ...KnownMachine[]];
  readonly migration: Migration | undefined;
  /** The machine of runs that recorded none. */
  readonly unidentified: KnownMachine | undefined;
  readonly carried: CarriedRun | undefined;
}

/**
 * Which machine a run belongs to. A new run takes the newest one and records that in its history; a run from before keeps its
 * own, is migrated, or is held until a worker comes that knows it.
 *
 * What is decided outside of a replay is recorded as a patch marker, so that a replay decides the same at the same place.
 */
export class Lineage {
  readonly #options: LineageOptions;
  #current: KnownMachine;
  #before: MachineIdentity | null;
  /** Why the worker cannot go on with the run; undefined when it can. */
  #obstacle: Held | undefined;
  #held: Held | undefined;
  #holds = 0;
  #isMigrated = false;
  #isIdentified = true;

  constructor(options: LineageOptions) {
    this.#options = options;
    const { known, carried } = options;
    const [newest] = known;
    this.#current = newest;
    this.#before = carried?.machine ?? null;
    if (carried === undefined) this.#identify();
    else this.#identifyCarried(carried);
  }

  get current(): KnownMachine {
    return this.#current;
  }

  get identity(): MachineIdentity {
    return this.#current.identity;
  }

  /** Whether the run has recorded its machine, as none did before version 0.2. */
  get isIdentified(): boolean {
    return this.#isIdentified;
  }

  /** The machine that the run had before it was migrated. */
  get before(): MachineIdentity | null {
    return this.#before;
  }

  get migration(): Migration {
    return this.#options.migration ?? {};
  }

  /** Why this worker cannot go on with the run; undefined when it can. */
  get obstacle(): Held | undefined {
    return this.#obstacle;
  }

  /** Why the run takes no events; undefined while it does. */
  get held(): Held | undefined {
    return this.#held;
  }

  /** Decides at the beginning of a workflow task, before its events are taken, whether the run is held. */
  decide(): void {
    if (this.#held === undefined) {
      if (!this.#decides(holdMark(this.#holds + 1), this.#obstacle !== undefined)) return;
      this.#holds += 1;
      this.#held = this.#obstacle ?? unknownObstacle(this.identity);
    } else if (this.#decides(releaseMark(this.#holds), this.#obstacle === undefined)) {
      this.#held = undefined;
    }
  }

  /** Whether the run moves to the newest machine now. It is then the current one. */
  takeMigration(): boolean {
    const { known, migration } = this.#options;
    const [newest] = known;
    if (migration === undefined || this.#isMigrated || isSameMachine(this.identity, newest.identity))
      return false;
    if (!this.#decides(migrationMark(newest.identity), true)) return false;
    this.#isMigrated = true;
    this.#before = this.identity;
    this.#current = newest;
    return true;
  }

  /** What an earlier run has carried, as a state of the current machine. */
  carriedState(carried: CarriedRun): CarriedRun {
    const { migration } = this.#options;
    const isOther = carried.machine === undefined || !isSameMachine(carried.machine, this.identity);
    if (migration === undefined || !isOther) return carried;
    return {
      ...carried,
      ...migrateCarried(carried, this.#current.prepared, migration, carried.machine ?? null),
    };
  }

  /**
   * Whether the run tries activities locally. To be asked once, when it begins.
   *
   * @param isWanted what its start says, which a worker that does not know of it passes over
   */
  triesLocally(isWanted: boolean): boolean {
    return isWanted && this.#decides(LOCALLY_MARK, true);
  }

  get #isReplaying(): boolean {
    return workflowInfo().unsafe.isReplaying;
  }

  /**
   * Records a decision, or answers in a replay what was recorded. The marker is a deprecated one, because a worker that would
   * decide otherwise must be able to replay it, too.
   */
  #decides(decision: string, wanted: boolean): boolean {
    if (this.#isReplaying) return patched(decision);
    if (wanted) deprecatePatch(decision);
    return wanted;
  }

  #identify(): void {
    const { known, unidentified } = this.#options;
    const [newest] = known;
    if (!this.#isReplaying) {
      deprecatePatch(machineMark(newest.identity));
      if (unidentified !== undefined) deprecatePatch(RECORDED_MARK);
      return;
    }
    const own = known.find(({ identity }) => patched(machineMark(identity)));
    this.#isIdentified = own !== undefined || unidentified === undefined || patched(RECORDED_MARK);
    if (own !== undefined) this.#current = own;
    else if (this.#isIdentified || unidentified === undefined) this.#obstacle = this.#unknown(null);
    else this.#current = unidentified;
  }

  #identifyCarried(carried: CarriedRun): void {
    const { known, migration, unidentified } = this.#options;
    const [newest] = known;
    const { machine } = carried;
    if (machine === undefined) {
      this.#isIdentified = false;
      this.#current = unidentified ?? newest;
      return;
    }
    const own = known.find(({ identity }) => isSameMachine(identity, machine));
    if (own !== undefined) {
      this.#current = own;
    } else if (migration === undefined) {
      this.#obstacle = this.#unknown(machine);
    } else {
      this.#tryMigration(carried, migration);
    }
  }

  #tryMigration(carried: CarriedRun, migration: Migration): void {
    try {
      migrateCarried(carried, this.#current.prepared, migration, carried.machine ?? null);
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error;
      this.#obstacle = {
        ...this.#unknown(carried.machine ?? null),
        reason: `The migration was refused: ${error.message}`,
      };
    }
  }

  #unknown(started: MachineIdentity | null): Held {
    const known = this.#options.known.map(({ identity }) => identity);
    return {
      started,
      known,
      reason:
        `The machine has changed: this run was started with ` +
        `${started === null ? 'another one' : identityText(started)}, and the worker knows ${known.map(identityText).join(', ')}. ` +
        `Its events wait. Give the earlier machine in 'versions' or a 'migrate', or run a worker that has it.`,
    };
  }
}

/** A replay on a worker that could go on finds that the run was held for a time. */
const unknownObstacle = (identity: MachineIdentity): Held => ({
  reason: 'The run was held by a worker that did not know its machine.',
  started: identity,
  known: [identity],
});
