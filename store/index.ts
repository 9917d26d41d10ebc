export { openStore, type StoreOptions } from './open.ts';
export type {
  BatchListRequest,
  BatchRecord,
  BatchRecords,
  IncomingRequest,
  ResultLine,
  StoredRequest,
  StoredResult,
} from './contract/batches.ts';
export { type Blobs, isBlobHash } from './contract/blobs.ts';
export type { Begun, Effects } from './contract/effects.ts';
export {
  BlobMissingError,
  BytesTooManyError,
  CorruptError,
  CursorMovedError,
  EventTooLargeError,
  FileUnusableError,
  NotStoredError,
  StaleEpochError,
  StorageFullError,
  StoreTooNewError,
  StoreUnwritableError,
  VersionConflictError,
} from './contract/errors.ts';
export type {
  Appended,
  AppendRequest,
  BrokenSession,
  EventLog,
  NewStoredEvent,
  ReadRequest,
  StoredEvent,
  TimeRange,
  Verification,
} from './contract/events.ts';
export type {
  FileListRequest,
  FileRecord,
  FileRecords,
  FoundFile,
  NewFileRecord,
  StagedFile,
} from './contract/files.ts';
export { createIds, eventId, type NewId } from './contract/ids.ts';
export { canonicalJson, type Json, type JsonObject, recordData } from './contract/json.ts';
export type {
  AgentRecord,
  AgentRecords,
  DeletedSession,
  EnvironmentRecord,
  EnvironmentRecords,
  ListPlace,
  ListRequest,
  NewSessionRecord,
  SessionChange,
  SessionListRequest,
  SessionRecord,
  SessionRecords,
} from './contract/records.ts';
export { fileFault } from './disk/faults.ts';
export { createStorageGuard, type StorageGuard, type StorageState } from './disk/storage-guard.ts';
export type { Store, StorePart } from './contract/store.ts';
export { createWholeFile, removeDrafts, writeWholeFile } from './disk/whole-file.ts';
