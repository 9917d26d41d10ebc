import { isUnimplemented } from '../wire/rpc-errors.ts';
import type { TemporalCalls } from '../wire/service.ts';

export interface Capability {
  readonly available: boolean;
  readonly reason: string | null;
}

const UNSUPPORTED: Capability = {
  available: false,
  reason: 'The engine of this server does not do it; a Temporal server does.',
};
const SUPPORTED: Capability = { available: true, reason: null };

/** What the server can do, found out by requests that change nothing: they name no workflow and no job. */
export class Capabilities {
  readonly #calls: TemporalCalls;
  #reset: Promise<Capability> | undefined;
  #batch: Promise<Capability> | undefined;

  constructor(calls: TemporalCalls) {
    this.#calls = calls;
  }

  reset(): Promise<Capability> {
    const { namespace } = this.#calls;
    this.#reset ??= this.#probe(
      this.#calls.raw((service) => service.resetWorkflowExecution({ namespace })),
      () => (this.#reset = undefined),
    );
    return this.#reset;
  }

  batch(): Promise<Capability> {
    const { namespace } = this.#calls;
    const jobId = 'steadyhand-no-such-job';
    this.#batch ??= this.#probe(
      this.#calls.raw((service) => service.describeBatchOperation({ namespace, jobId })),
      () => (this.#batch = undefined),
    );
    return this.#batch;
  }

  /** Whatever the server has against the request, it knows the method. */
  async #probe(asked: Promise<unknown>, forget: () => void): Promise<Capability> {
    try {
      await asked;
      return SUPPORTED;
    } catch (error) {
      if (isUnimplemented(error)) return UNSUPPORTED;
      // It may have been away: the next who wants to know asks again.
      if (isAway(error)) forget();
      return SUPPORTED;
    }
  }
}

const isAway = (error: unknown): boolean => [4, 14].includes((error as { code?: number }).code ?? 0);
