import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Readiness } from '@steadyhand/server';

/** The start was told to stop while it waited. */
export class StartStoppedError extends Error {
  override readonly name = 'StartStoppedError';
}

interface PatienceOptions {
  readonly log: Logger;
  readonly readiness: Readiness;
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** How long to wait at most. */
  readonly limitMs: number;
  /** The pause between two attempts. */
  readonly everyMs?: number;
}

/** Waits for what a process needs and cannot reach yet, so that the parts of a cluster may start in any order. */
export class Patience {
  readonly #options: Required<PatienceOptions>;
  readonly #deadline: number;

  constructor(options: PatienceOptions) {
    this.#options = { everyMs: 3000, ...options };
    this.#deadline = performance.now() + options.limitMs;
  }

  /**
   * Makes the attempt, again and again while it fails for a reason that may pass. Each failure is a line in the log.
   * @param what such as `Temporal`
   * @throws the last error once the time is over, and any error that is not temporary at once
   */
  async until<T>(
    what: string,
    isTemporary: (error: unknown) => boolean,
    attempt: () => Promise<T>,
  ): Promise<T> {
    const { log, readiness, signal, everyMs } = this.#options;
    for (;;) {
      if (signal.aborted) throw new StartStoppedError('stopped while it was starting');
      try {
        return await attempt();
      } catch (error) {
        if (!isTemporary(error) || performance.now() >= this.#deadline) throw error;
        const reason = error instanceof Error ? error.message : String(error);
        log.warn(`waiting for ${what}: ${reason}`);
        readiness.obstacle = `it waits for ${what}: ${reason}`;
        await pause(everyMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}
