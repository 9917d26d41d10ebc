import type { EngineKind } from './engine.ts';

/** A Temporal service could not be started or reached; the message says what is missing and what to do about it. */
export class EngineUnavailable extends Error {
  override readonly name = 'EngineUnavailable';
  readonly kind: EngineKind;

  constructor(kind: EngineKind, message: string, options?: ErrorOptions) {
    super(`ENGINE=${kind}: ${message}`, options);
    this.kind = kind;
  }
}
