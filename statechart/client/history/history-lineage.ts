import type { AnyStateMachine, StateValue } from 'xstate';
import type { CarriedMachine } from '../../core/carried.ts';
import { holdMark, LOCALLY_MARK, machineMark, migrationMark, releaseMark } from '../../core/lineage-marks.ts';
import {
  identityOf,
  identityText,
  isSameMachine,
  type MachineIdentity,
} from '../../core/machine-identity.ts';
import type { Held } from '../../core/messages.ts';
import { migrateCarried, MigrationError, type Migration } from '../../core/migration.ts';
import { activity, type ActorSpecs } from '../../core/actor-spec.ts';
import { prepareMachine } from '../../core/prepare-machine.ts';
import { statePath } from '../../core/state-path.ts';
import type { WorkflowDefinition } from '../../core/workflow-definition.ts';

export interface KnownMachine {
  readonly machine: AnyStateMachine;
  readonly prepared: AnyStateMachine;
  readonly identity: MachineIdentity;
}

type Carried = CarriedMachine & { readonly machine?: MachineIdentity };

interface HistoryLineageOptions {
  readonly definition: WorkflowDefinition;
  /** How the sources of the machine run that `definition.actors` does not name. */
  readonly inferred: ActorSpecs;
  readonly carried: Carried | undefined;
  /** All patch markers of the history. */
  readonly marks: ReadonlySet<string>;
  /** The history says nothing of its machine, and the one given is taken for it. */
  readonly trusts: boolean;
}

/** Which machine a history belongs to, decided by its markers as `lineage.ts` does it on a replay. */
export class HistoryLineage {
  readonly #options: HistoryLineageOptions;
  readonly #known: readonly [KnownMachine, ...KnownMachine[]];
  #current: KnownMachine;
  #before: MachineIdentity | null;
  #recorded: MachineIdentity | null;
  #obstacle: Held | undefined;
  #held: Held | undefined;
  #holds = 0;
  #isMigrated = false;
  #hasMigratedCarried = false;

  constructor(options: HistoryLineageOptions) {
    this.#options = options;
    const { definition, carried } = options;
    const { machine, versions = [] } = definition;
    this.#known = [this.#prepare(machine), ...versions.map((version) => this.#prepare(version))];
    this.#current = this.#known[0];
    this.#before = carried?.machine ?? null;
    this.#recorded = carried?.machine ?? null;
    if (carried === undefined) this.#identify();
    else this.#identifyCarried(carried);
  }

  get current(): KnownMachine {
    return this.#current;
  }

  get newest(): KnownMachine {
    return this.#known[0];
  }

  /** The machine that the history names; null when it names none. */
  get recorded(): MachineIdentity | null {
    return this.#recorded;
  }

  /** Whether the run has recorded its machine, as none did before version 0.2. */
  get isIdentified(): boolean {
    return this.#recorded !== null;
  }

  get before(): MachineIdentity | null {
    return this.#before;
  }

  get migration(): Migration {
    return this.#options.definition.migrate ?? {};
  }

  get held(): Held | undefined {
    return this.#held;
  }

  /** Why a worker with these machines would hold the run; undefined when it would not. */
  get obstacle(): Held | undefined {
    return this.#obstacle;
  }

  /** As the workflow's lineage answers it. */
  triesLocally(isWanted: boolean): boolean {
    return isWanted && this.#options.marks.has(LOCALLY_MARK);
  }

  /** Decides whether the run is held, by the markers of the workflow task. */
  decide(marks: ReadonlySet<string>): void {
    if (this.#held === undefined) {
      if (!marks.has(holdMark(this.#holds + 1))) return;
      this.#holds += 1;
      this.#held = this.#obstacle ?? {
        reason: 'The run was held by a worker that did not know its machine.',
        started: this.#current.identity,
        known: this.#known.map(({ identity }) => identity),
      };
    } else if (marks.has(releaseMark(this.#holds))) {
      this.#held = undefined;
    }
  }

  takeMigration(marks: ReadonlySet<string>): boolean {
    if (this.#isMigrated || this.#options.definition.migrate === undefined) return false;
    const [newest] = this.#known;
    if (isSameMachine(this.#current.identity, newest.identity)) return false;
    if (!marks.has(migrationMark(newest.identity))) return false;
    this.#isMigrated = true;
    this.#before = this.#current.identity;
    this.#current = newest;
    return true;
  }

  /** Whether what the run before has carried over became a state of another machine. */
  get hasMigratedCarried(): boolean {
    return this.#hasMigratedCarried;
  }

  /** The state that the run before has carried over, where the newest machine has none such. */
  get goneState(): string | undefined {
    const { carried } = this.#options;
    if (carried === undefined) return undefined;
    const { value } = carried.snapshot as { readonly value: StateValue };
    try {
      this.newest.prepared.resolveState({ value, context: {} });
      return undefined;
    } catch {
      return statePath(value);
    }
  }

  carriedState(carried: Carried): CarriedMachine {
    const { migrate } = this.#options.definition;
    const isOther = carried.machine === undefined || !isSameMachine(carried.machine, this.#current.identity);
    if (migrate === undefined || !isOther) return carried;
    this.#hasMigratedCarried = carried.machine !== undefined;
    return migrateCarried(carried, this.#current.prepared, migrate, carried.machine ?? null);
  }

  #prepare(machine: AnyStateMachine): KnownMachine {
    const { definition, inferred } = this.#options;
    const fallback = (name: string): ActorSpecs[string] =>
      activity(name, { startToCloseTimeout: '1 minute' });
    const specs = { ...inferred, ...definition.actors };
    return { machine, prepared: prepareMachine(machine, specs, fallback), identity: identityOf(machine) };
  }

  #identify(): void {
    const { marks, definition, trusts } = this.#options;
    const own = this.#known.find(({ identity }) => marks.has(machineMark(identity)));
    const { unidentified } = definition;
    const name = [...marks].map(identityIn).find((identity) => identity !== undefined);
    if (own !== undefined) {
      this.#current = own;
      this.#recorded = own.identity;
    } else if (name !== undefined) {
      this.#recorded = name;
      this.#obstacle = this.#unknown(this.#recorded);
    } else if (unidentified !== undefined) {
      this.#current = this.#prepare(unidentified);
    } else if (!trusts) {
      this.#obstacle = this.#unknown(null);
    }
  }

  #identifyCarried(carried: Carried): void {
    const { migrate, unidentified } = this.#options.definition;
    const { machine } = carried;
    if (machine === undefined) {
      if (unidentified !== undefined) this.#current = this.#prepare(unidentified);
      return;
    }
    const own = this.#known.find(({ identity }) => isSameMachine(identity, machine));
    if (own !== undefined) this.#current = own;
    else if (migrate === undefined) this.#obstacle = this.#unknown(machine);
    else this.#tryMigration(carried, migrate, machine);
  }

  #tryMigration(carried: Carried, migration: Migration, from: MachineIdentity): void {
    try {
      migrateCarried(carried, this.#current.prepared, migration, from);
      this.#hasMigratedCarried = true;
    } catch (error) {
      if (!(error instanceof MigrationError)) throw error;
      this.#obstacle = {
        ...this.#unknown(from),
        reason: `The migration was refused: ${error.message}`,
      };
    }
  }

  #unknown(started: MachineIdentity | null): Held {
    const known = this.#known.map(({ identity }) => identity);
    return {
      started,
      known,
      reason: `The run was started with ${started === null ? 'a machine that it does not name' : identityText(started)}; known are ${known.map(identityText).join(', ')}.`,
    };
  }
}

/** The identity in the marker of a machine; undefined for any other marker. */
function identityIn(mark: string): MachineIdentity | undefined {
  const match = /^statechart (?!migrate )(.+) (\S+) ([0-9a-f]{16})$/.exec(mark);
  if (match === null) return undefined;
  const [, id = '', version = '-', hash = ''] = match;
  return { id, version: version === '-' ? null : version, hash };
}
