import type { EngineKind } from './engine.ts';

/** A Temporal service could not be started or reached; the message says what is missing and what to do about it. */
export class EngineUnavailableError extends Error {
  override readonly name = 'EngineUnavailableError';
  readonly kind: EngineKind;

  constructor(kind: EngineKind, message: string, options?: ErrorOptions) {
    super(`ENGINE=${kind}: ${message}`, options);
    this.kind = kind;
  }
}
