import type { MachineSource } from '@steadyhand/statechart/client';
import type { PayloadReader } from '../payloads/decode-payloads.ts';
import type { Run } from '../shapes/service.ts';
import type { TemporalCalls } from '../wire/service.ts';
import { ExplainedRun } from './explained-run.ts';

/** Runs that are kept, and events of all of them, at most. The one that was looked at last is kept in any case. */
const MOST_RUNS = 32;
const MOST_EVENTS_KEPT = 100_000;

interface Kept {
  readonly reading: Promise<ExplainedRun>;
  readonly historyLength: number;
}

/** The runs that were explained last, so that whoever follows one has explained what is new alone. */
export class ExplainedRuns {
  readonly #calls: TemporalCalls;
  readonly #reader: PayloadReader;
  readonly #kept = new Map<string, Kept>();

  constructor(calls: TemporalCalls, reader: PayloadReader) {
    this.#calls = calls;
    this.#reader = reader;
  }

  /** The run, explained as far as its description says that it goes. Those who ask meanwhile wait for one another. */
  async of(run: Run & { readonly historyLength: number }, source: MachineSource): Promise<ExplainedRun> {
    const before = this.#kept.get(run.runId);
    const fresh = (): ExplainedRun => new ExplainedRun(this.#calls, this.#reader, run, source);
    const reading = (before?.reading ?? Promise.resolve(fresh()))
      // What has failed half-way is begun anew.
      .catch(fresh)
      .then(async (explained) => {
        await explained.readOn(run.historyLength);
        return explained;
      });
    this.#kept.delete(run.runId);
    this.#kept.set(run.runId, { reading, historyLength: run.historyLength });
    this.#forget();
    return await reading;
  }

  #forget(): void {
    let events = [...this.#kept.values()].reduce((sum, { historyLength }) => sum + historyLength, 0);
    for (const [runId, { historyLength }] of this.#kept) {
      const isLast = this.#kept.size === 1;
      if (isLast || (this.#kept.size <= MOST_RUNS && events <= MOST_EVENTS_KEPT)) return;
      this.#kept.delete(runId);
      events -= historyLength;
    }
  }
}
