/**
 * Everything durable but the engine's own state: event logs, records, effects, blobs and files.
 *
 * @example
 * const store = await openStore({ dir: '/var/lib/steadyhand' });
 * const session = await store.sessions.get('sesn_...');
 */
export { openStore } from './open.ts';
export type { Store } from './contract/store.ts';

// Records and event logs
export type {
  BatchListRequest,
  BatchOutcome,
  BatchRecord,
  ListedRequest,
  RequestListRequest,
  ResultLine,
  StoredRequest,
  StoredResult,
} from './contract/batches.ts';
export { type Blobs, isBlobHash } from './contract/blobs.ts';
export type { ObjectStore } from './contract/objects.ts';
export type { ByteRange } from './contract/ranges.ts';
export type {
  Appended,
  NewStoredEvent,
  ReadRequest,
  SessionRecord,
  StoredEvent,
  TimeRange,
  Verification,
} from './contract/events.ts';
export type { StoreFigures } from './contract/figures.ts';
export type { FileRecord } from './contract/files.ts';
export type { Leases } from './contract/leases.ts';
export type { OnceOnly } from './contract/once-only.ts';
export { type RateAmounts, type Rates, STREAM_LEASE_MS } from './contract/rates.ts';
export { RELAY_BYTES, type Relay } from './contract/relay.ts';
export type { SandboxMachine, SandboxRecords } from './contract/sandboxes.ts';
export type {
  AgentRecord,
  DeletedSession,
  EnvironmentRecord,
  ListPlace,
  SessionListRequest,
} from './contract/records.ts';

// Ids and JSON
export { createIds, eventId, type NewId } from './contract/ids.ts';
export { canonicalJson, type Json, type JsonObject, recordData } from './contract/json.ts';

// Errors
export {
  BlobMissingError,
  BytesTooManyError,
  CorruptError,
  CursorMovedError,
  EventTooLargeError,
  FileUnusableError,
  NotStoredError,
  ObjectStoreRefusedError,
  StaleEpochError,
  StorageFullError,
  stored,
  StoreRefusedError,
  StoreTooNewError,
  StoreUnavailableError,
  StoreUnwritableError,
  VersionConflictError,
} from './contract/errors.ts';
export { fileFault } from './disk/faults.ts';

// S3-compatible stores
export { openS3Objects } from './s3/s3-objects.ts';
export { parseS3Address, type S3Address } from './s3/address.ts';
export type { S3Credentials } from './s3/credentials.ts';

// From one store to another
export { backUpStore, type StoreCopy } from './transfer/back-up-store.ts';
export { TransferFailedError, TransferRefusedError } from './transfer/errors.ts';
export { type MovedStore, moveStore } from './transfer/move-store.ts';

// The disk
export { openDiskObjects } from './disk/disk-objects.ts';
export { createStorageGuard, type StorageGuard, type StorageState } from './disk/storage-guard.ts';
export { createWholeFile, removeDrafts, writeWholeFile } from './disk/whole-file.ts';
