/** No sandbox has this id (any more). */
export class SandboxNotFoundError extends Error {
  override readonly name = 'SandboxNotFoundError';
  readonly id: string;
  constructor(id: string) {
    super(`sandbox ${id} does not exist`);
    this.id = id;
  }
}

/** The sandbox cannot be used now: its daemon or its computer cannot be started, or isolation is not possible here. */
export class SandboxUnavailableError extends Error {
  override readonly name = 'SandboxUnavailableError';
  readonly id: string | null;
  constructor(id: string | null, reason: string, options?: ErrorOptions) {
    super(id === null ? reason : `sandbox ${id} is not available: ${reason}`, options);
    this.id = id;
  }
}

/** A file of the sandbox's own (its record, its ledger) is not what was written: it cannot be used any more, only deleted. */
export class SandboxDamagedError extends Error {
  override readonly name = 'SandboxDamagedError';
  readonly id: string;
  /** Names the file and what is wrong with it. */
  readonly reason: string;
  constructor(id: string, reason: string, options?: ErrorOptions) {
    super(`sandbox ${id} cannot be used any more: ${reason}`, options);
    this.id = id;
    this.reason = reason;
  }
}

/** The request is wrong in itself; the message names the field and what was expected. */
export class SandboxRequestError extends Error {
  override readonly name = 'SandboxRequestError';
}

/** The key was used before for another tool or another input. Nothing was done. */
export class SandboxKeyReusedError extends Error {
  override readonly name = 'SandboxKeyReusedError';
}

/** The disk is full: the intent could not be written and the action was not begun. */
export class SandboxStorageFullError extends Error {
  override readonly name = 'SandboxStorageFullError';
}

/** Another window has the keyboard than the one that the action was meant for. Nothing was done. */
export class SandboxWindowChangedError extends Error {
  override readonly name = 'SandboxWindowChangedError';
}

/** More than is taken at once: a tree of too many entries. */
export class SandboxTooLargeError extends Error {
  override readonly name = 'SandboxTooLargeError';
}

/** The sandbox exists, what was asked for in it does not: a file, a snapshot. */
export class SandboxPathNotFoundError extends Error {
  override readonly name: string = 'SandboxPathNotFoundError';
}

/** The sandbox's daemon runs since an earlier release, which has nothing of what was asked for. */
export class SandboxOutdatedError extends SandboxPathNotFoundError {
  override readonly name = 'SandboxOutdatedError';
  constructor(id: string) {
    super(
      `sandbox ${id} runs since an earlier release, which cannot do this; it can once its daemon has been ended, and with it its programs`,
    );
  }
}

/** Not possible in the state the computer is in now. Nothing was done. */
export class SandboxConflictError extends Error {
  override readonly name = 'SandboxConflictError';
}
