export { openStore } from './sqlite/open.ts';
export type {
  BatchListRequest,
  BatchRecord,
  BatchRecords,
  IncomingRequest,
  ResultLine,
  StoredRequest,
  StoredResult,
} from './batches.ts';
export { type Blobs, isBlobHash } from './blobs.ts';
export type { Begun, Effects } from './effects.ts';
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
} from './errors.ts';
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
} from './events.ts';
export type {
  FileListRequest,
  FileRecord,
  FileRecords,
  FoundFile,
  NewFileRecord,
  StagedFile,
} from './files.ts';
export { createIds, eventId, type NewId } from './ids.ts';
export { canonicalJson, type Json, type JsonObject } from './json.ts';
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
} from './records.ts';
export { fileFault } from './faults.ts';
export { createStorageGuard, type StorageGuard, type StorageState } from './storage-guard.ts';
export type { Store, StoreOptions, StorePart } from './store.ts';
export { createWholeFile, removeDrafts, writeWholeFile } from './whole-file.ts';
