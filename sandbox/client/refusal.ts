import type { DaemonRefusal } from './daemon-connection.ts';
import {
  SandboxConflictError,
  SandboxDamagedError,
  SandboxKeyReusedError,
  SandboxOutdatedError,
  SandboxPathNotFoundError,
  SandboxRequestError,
  SandboxStorageFullError,
  SandboxTooLargeError,
  SandboxUnavailableError,
  SandboxWindowChangedError,
} from './errors.ts';

/** A sandbox's refusal as whoever uses the sandbox gets it. */
export function refusalOf(id: string, refusal: DaemonRefusal): Error {
  switch (refusal.code) {
    case 'key_reused':
      return new SandboxKeyReusedError(refusal.message);
    case 'storage_full':
      return new SandboxStorageFullError(refusal.message);
    case 'invalid_request':
      return new SandboxRequestError(refusal.message);
    case 'not_found':
      // It is not asked for what a daemon of this release has no way to.
      if (/^no (route|stream) /.test(refusal.message)) return new SandboxOutdatedError(id);
      return new SandboxPathNotFoundError(refusal.message);
    case 'too_large':
      return new SandboxTooLargeError(refusal.message);
    case 'conflict':
      return new SandboxConflictError(refusal.message);
    case 'window_changed':
      return new SandboxWindowChangedError(refusal.message);
    case 'damaged':
      return new SandboxDamagedError(id, refusal.message, { cause: refusal });
    case 'unavailable':
      return new SandboxUnavailableError(id, refusal.message);
  }
}
