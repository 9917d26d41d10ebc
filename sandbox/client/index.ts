export { decodePath, encodePath, rawQueryValue, shownPath } from '../byte-path.ts';
export { untoldSize } from '../tools/computer/coordinate-space.ts';
export { readPrivateHosts } from '../egress/private-hosts.ts';
export { REGISTRATION_HEADERS, REGISTRATION_PATH } from '../pool-machine/protocol.ts';
export { createRedactor, type Redactor } from '../secrets/redactor.ts';

export { createSandboxes } from './hosted-sandboxes.ts';
export type { Capabilities, Sandboxes } from './sandboxes.ts';
export { RegistrationRefusedError } from './hosts/registration.ts';
export {
  type PoolFigures,
  SandboxPool,
  type SandboxPoolOptions,
  createSandboxPool,
} from './hosts/sandbox-pool.ts';
export type { MachineWait } from './hosts/machines.ts';
export { choosePlace } from '../registry/choose-place.ts';
export {
  type FoundPlacement,
  type KnownMachine,
  LINE_SILENCE_MS,
  type PlaceAnswer,
  type Placement,
  type PlaceRequest,
  type SandboxRecord,
  type SandboxRegistry,
} from '../registry/registry.ts';
export type { SandboxConfig } from '../config.ts';
export { configOfSandbox, recordLeftBehind } from '../registry/left-behind.ts';

export { guardedAction, isKnown, performAll, windowTitle } from './actions.ts';
export { type BytePath, bytePathOf, SandboxFiles, type TreeEntry } from './files.ts';
export { mountInSandbox } from './mounted-files.ts';
export { type NetworkLogPage, readNetworkLog } from './network-log.ts';
export { readRecording, readSegment, switchRecording } from './recording.ts';
export { SandboxSnapshots } from './snapshots.ts';
export type { SnapshotArchives } from './snapshot-archives.ts';
export { handBack, interruptAll, readTakeover, startTakeover, watchScreen } from './watching.ts';
