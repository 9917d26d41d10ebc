import type { EngineKind } from './engine.ts';

/** A Temporal service could not be started or reached; the message says what is missing and what to do about it. */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError';
  readonly kind: EngineKind;
  /** Whether waiting may help: the service does not answer yet, or has no such namespace yet. */
  readonly isTemporary: boolean;

  constructor(
    kind: EngineKind,
    message: string,
    { isTemporary = false, ...options }: ErrorOptions & { readonly isTemporary?: boolean } = {},
  ) {
    super(`ENGINE=${kind}: ${message}`, options);
    this.kind = kind;
    this.isTemporary = isTemporary;
  }
}
