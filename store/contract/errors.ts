/** What was asked for is not stored. */
export class NotStoredError extends Error {
  override readonly name = 'NotStoredError';
  readonly kind:
    | 'session'
    | 'agent'
    | 'environment'
    | 'blob'
    | 'effect'
    | 'file'
    | 'message batch'
    | 'object'
    | 'setting';
  readonly id: string;

  constructor(kind: NotStoredError['kind'], id: string) {
    super(`no ${kind} ${id}`);
    this.kind = kind;
    this.id = id;
  }
}

/** The value; throws NotStoredError where there is none. */
export function stored<T>(value: T | undefined, kind: NotStoredError['kind'], id: string): T {
  if (value === undefined) throw new NotStoredError(kind, id);
  return value;
}

/** The writer's epoch is older than the session's: another run has taken over, and this writer has to stop. */
export class StaleEpochError extends Error {
  override readonly name = 'StaleEpochError';
  readonly session: string;
  readonly epoch: number;
  readonly current: number;

  constructor(session: string, epoch: number, current: number) {
    super(`session ${session} is at epoch ${current}; an append with epoch ${epoch} is refused`);
    this.session = session;
    this.epoch = epoch;
    this.current = current;
  }
}

/** The event log has grown since the caller read it. The caller has to read it again, and then decide again. */
export class CursorMovedError extends Error {
  override readonly name = 'CursorMovedError';
  readonly expected: number;
  readonly actual: number;

  constructor(expected: number, actual: number) {
    super(`the log ends at ${actual}, not at ${expected}`);
    this.expected = expected;
    this.actual = actual;
  }
}

/** This version exists already. */
export class VersionConflictError extends Error {
  override readonly name = 'VersionConflictError';
  readonly id: string;
  readonly version: number;

  constructor(id: string, version: number) {
    super(`version ${version} of ${id} exists already`);
    this.id = id;
    this.version = version;
  }
}

/** The bytes on the disk are not those that were written. */
export class CorruptError extends Error {
  override readonly name = 'CorruptError';
}

/** The folder was written by a newer version of the program. */
export class StoreTooNewError extends Error {
  override readonly name = 'StoreTooNewError';
  readonly found: number;
  readonly known: number;

  constructor(path: string, found: number, known: number) {
    super(`${path} has schema version ${found}, this program knows versions up to ${known}`);
    this.found = found;
    this.known = known;
  }
}

/** An event exceeds the largest size that is stored. */
export class EventTooLargeError extends Error {
  override readonly name = 'EventTooLargeError';

  constructor(type: string, size: number, max: number) {
    super(`an event of type ${type} has ${size} characters; at most ${max} are stored`);
  }
}

/** A source had more bytes than its limit. */
export class BytesTooManyError extends Error {
  override readonly name = 'BytesTooManyError';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** A row refers to a blob that was removed between its put and this reference. The caller has to put it again. */
export class BlobMissingError extends Error {
  override readonly name = 'BlobMissingError';
  readonly hash: string;

  constructor(hash: string) {
    super(`blob ${hash} is named and is not there`);
    this.hash = hash;
  }
}

/** The disk is full. Nothing more is written until there is room; see StorageGuard. */
export class StorageFullError extends Error {
  override readonly name = 'StorageFullError';
  readonly folder: string;

  constructor(folder: string, freeBytes: number | null, options?: ErrorOptions) {
    const free = freeBytes === null ? '' : ` (${Math.floor(freeBytes / 1024)} KiB are free)`;
    super(`the disk of ${folder} is full${free}: free some room there`, options);
    this.folder = folder;
  }
}

/** The store's folder cannot be written, for another reason than a full disk. */
export class StoreUnwritableError extends Error {
  override readonly name = 'StoreUnwritableError';

  constructor(folder: string, reason: string, options?: ErrorOptions) {
    super(`${folder} cannot be written: ${reason}`, options);
  }
}

/**
 * The database, or the place of the bytes, cannot be reached now, or the connection was lost before an answer came. The
 * caller may try again; what is keyed is done once all the same.
 */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
  /** Where it is, without credentials, such as `postgres://host:5432/database`. */
  readonly place: string;

  constructor(place: string, reason: string, options?: ErrorOptions) {
    super(`${place} cannot be reached: ${reason}`, options);
    this.place = place;
  }
}

/** The database server answers and does not take this program in, such as for a wrong password. Waiting does not help. */
export class StoreRefusedError extends Error {
  override readonly name = 'StoreRefusedError';

  constructor(place: string, reason: string, options?: ErrorOptions) {
    super(`${place} cannot be used: ${reason}`, options);
  }
}

/** A file that the start needs cannot be opened. The message is one line that names the file and a remedy. */
export class FileUnusableError extends Error {
  override readonly name = 'FileUnusableError';
  readonly path: string;

  constructor(path: string, what: string, options?: ErrorOptions) {
    super(`${path} ${what}`, options);
    this.path = path;
  }
}

/** An object of this name is there already. */
export class ObjectExistsError extends Error {
  override readonly name = 'ObjectExistsError';

  constructor(object: string) {
    super(`there is an object ${object} already`);
  }
}

/** The object store answered that it will not do what was asked, such as for wrong credentials or a missing bucket. */
export class ObjectStoreRefusedError extends Error {
  override readonly name = 'ObjectStoreRefusedError';
  readonly status: number;
  readonly code: string;

  constructor(place: string, status: number, code: string, reason: string) {
    super(`the object store ${place} refuses: ${reason} (${status} ${code})`);
    this.status = status;
    this.code = code;
  }
}

/** An upload took so long that the collector has taken it for one that a killed process had left. */
export class UploadLostError extends Error {
  override readonly name = 'UploadLostError';

  constructor(object: string) {
    super(`the upload of object ${object} took longer than a day`);
  }
}
