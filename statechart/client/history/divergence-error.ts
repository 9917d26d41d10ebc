import type { Divergence } from './explanation.ts';

/** Ends the replay where history and machine part. */
export class DivergenceError extends Error {
  override readonly name = 'DivergenceError';
  readonly divergence: Divergence;
  constructor(divergence: Divergence) {
    super(divergence.reason);
    this.divergence = divergence;
  }
}
