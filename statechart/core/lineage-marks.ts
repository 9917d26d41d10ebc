import type { MachineIdentity } from './machine-identity.ts';

/** The ids of the patch markers by which a history tells which machine it belongs to. */

/** Recorded at the beginning of a run. */
export const machineMark = ({ id, version, hash }: MachineIdentity): string =>
  `statechart ${id} ${version ?? '-'} ${hash}`;

/** Recorded beside that where there are runs from before machines were recorded, which have none of both. */
export const RECORDED_MARK = 'statechart';

/** The nth time that the run is held. */
export const holdMark = (n: number): string => `statechart hold ${n}`;

export const releaseMark = (n: number): string => `statechart release ${n}`;

/** The run has become one of this machine. */
export const migrationMark = (identity: MachineIdentity): string =>
  `statechart migrate ${machineMark(identity)}`;

/** Recorded at the beginning of a run that tries activities locally: one that an older worker began never does, whatever its start says. */
export const LOCALLY_MARK = 'statechart locally';
