import { randomUUID } from 'node:crypto';
import type { HistoryEvent } from '../history/events.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';

interface Staged {
  readonly runId: string;
  readonly batches: HistoryEvent[][];
  bytes: number;
}

/** How many histories may be on their way in at a time, and how large all of them may be; the oldest give way. */
const MOST = 16;
const MOST_BYTES = 256 * 1024 * 1024;

/** The histories whose last part has not come yet. They are in memory alone: a restart means to begin again. */
export class StagedImports {
  readonly #staged = new Map<string, Staged>();

  /** Adds a part and answers the token of what there is so far. */
  add(token: string, { runId }: RunRef, batches: readonly HistoryEvent[][], bytes: number): string {
    const before = token === '' ? undefined : this.#find(token, runId);
    this.#staged.delete(token);
    const staged = before ?? { runId, batches: [], bytes: 0 };
    staged.batches.push(...batches);
    staged.bytes += bytes;
    const next = randomUUID();
    this.#staged.set(next, staged);
    let all = [...this.#staged.values()].reduce((sum, one) => sum + one.bytes, 0);
    for (const [oldest, one] of this.#staged) {
      if (oldest === next || (this.#staged.size <= MOST && all <= MOST_BYTES)) break;
      this.#staged.delete(oldest);
      all -= one.bytes;
    }
    return next;
  }

  /** Answers all parts of a history and forgets them. */
  take(token: string, { runId }: RunRef): HistoryEvent[][] {
    const { batches } = this.#find(token, runId);
    this.#staged.delete(token);
    return batches;
  }

  #find(token: string, runId: string): Staged {
    const staged = this.#staged.get(token);
    if (staged?.runId !== runId) {
      throw invalidArgument('Token: the parts before are not here any more; import the run again.');
    }
    return staged;
  }
}
