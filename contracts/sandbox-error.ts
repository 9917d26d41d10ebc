/** Why a sandbox refused, or could not be used. The daemon answers with these codes, and callers decide by them. */
export const SANDBOX_ERRORS = {
  invalid_request: 'The request is wrong in itself; the message names the field and what was expected.',
  key_reused: 'The key was used before for another tool or another input. Nothing was done.',
  storage_full: 'The disk is full: what was asked for was not begun.',
  unavailable:
    'The sandbox cannot be used now: its daemon or its computer cannot be started, or isolation is not possible here.',
  sandbox_not_found: 'No sandbox has this id (any more).',
  not_found: 'The sandbox exists, what was asked for in it does not: a file, a snapshot.',
  unsupported: "The sandbox's daemon runs an earlier release, which has nothing of what was asked for.",
  conflict: 'Not possible in the state that the computer is in now. Nothing was done.',
  too_large: 'More than is taken at once: a tree of too many entries.',
  window_changed:
    'Another window has the keyboard than the one that the action was meant for. Nothing was done.',
  no_place:
    'All machines for sandboxes are in use, and none became free in time. Nothing was done; it may work later.',
  lost: 'Its machine is gone, and with it its files and programs: the sandbox can only be deleted.',
  damaged:
    "A file of the sandbox's own (its record, its ledger) is not what was written: the sandbox can only be deleted.",
} as const;

export type SandboxErrorCode = keyof typeof SANDBOX_ERRORS;

export interface SandboxErrorOptions {
  /** The sandbox that the message names; by default the message is the reason alone. */
  readonly sandbox?: string | null | undefined;
  readonly cause?: unknown;
}

/** A sandbox refused what it was asked for, or cannot be used. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError';
  readonly code: SandboxErrorCode;
  /** Why, without the name of the sandbox. */
  readonly reason: string;
  /** Null where the error is about this machine, or the sandbox is not known. */
  readonly sandbox: string | null;

  constructor(code: SandboxErrorCode, reason: string, { sandbox = null, cause }: SandboxErrorOptions = {}) {
    super(messageOf(code, reason, sandbox), cause === undefined ? undefined : { cause });
    this.code = code;
    this.reason = reason;
    this.sandbox = sandbox;
  }
}

/** Whether an error is a sandbox's, with one of these codes. */
export function isSandboxError(error: unknown, ...codes: readonly SandboxErrorCode[]): error is SandboxError {
  return error instanceof SandboxError && codes.includes(error.code);
}

function messageOf(code: SandboxErrorCode, reason: string, sandbox: string | null): string {
  if (sandbox === null) return reason;
  switch (code) {
    case 'sandbox_not_found':
      return `sandbox ${sandbox} does not exist`;
    case 'unavailable':
      return `sandbox ${sandbox} is not available: ${reason}`;
    case 'lost':
      return `the computer was lost (sandbox ${sandbox}: ${reason}); its files and programs are gone`;
    case 'damaged':
      return `sandbox ${sandbox} cannot be used any more: ${reason}`;
    case 'unsupported':
      return `sandbox ${sandbox} runs since an earlier release, which cannot do this; it can once its daemon has been ended, and with it its programs`;
    default:
      return reason;
  }
}
