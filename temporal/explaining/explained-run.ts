import {
  type Explanation,
  HistoryExplainer,
  type MachineSource,
  type Macrostep,
} from '@steadyhand/statechart/client';
import type { WireEvent } from '../histories/event-json.ts';
import { GrowingHistory } from '../histories/growing-history.ts';
import type { PayloadReader } from '../payloads/decode-payloads.ts';
import type { Run } from '../shapes/service.ts';
import type { Fields } from '../wire/fields.ts';
import { protoJson } from '../wire/proto-json.ts';
import type { TemporalCalls } from '../wire/service.ts';
import { plainJson } from './plain-json.ts';
import { takeTurns } from './turns.ts';

/** Events of a history that is explained, at most: its machine is run through all of them. */
const MOST_EVENTS = 50_000;

/** Why a history is not explained. */
export class NotExplained extends Error {
  override readonly name = 'NotExplained';
}

/** A run as it is explained so far. What was explained once is kept, so that following a run costs what is new. */
export class ExplainedRun {
  readonly #calls: TemporalCalls;
  readonly #reader: PayloadReader;
  readonly #run: Run;
  readonly #source: MachineSource;
  #history: GrowingHistory;
  #explainer: HistoryExplainer;
  readonly #pause = takeTurns();
  readonly #steps: Fields[] = [];
  /** Of each step the history's last event when it was changed. */
  readonly #changedAt: number[] = [];
  /** The indices of steps that may still change. */
  #open: readonly number[] = [];

  constructor(calls: TemporalCalls, reader: PayloadReader, run: Run, source: MachineSource) {
    this.#calls = calls;
    this.#reader = reader;
    this.#run = run;
    this.#source = source;
    this.#history = new GrowingHistory(calls, run);
    this.#explainer = this.#newExplainer();
  }

  get explanation(): Explanation {
    return this.#explainer.explanation;
  }

  /** How far the history was read. */
  get lastEventId(): number {
    return this.#history.lastEventId;
  }

  /** The macrosteps as JSON. */
  get steps(): readonly Fields[] {
    return this.#steps;
  }

  /** Whether the step of this index came or was changed when the history had more events than these. */
  isNews(index: number, afterEvent: number): boolean {
    return (this.#changedAt[index] ?? 0) > afterEvent;
  }

  /**
   * Explains what the history has more by now.
   *
   * @param historyLength how many events the run has, by its description
   * @throws {NotExplained} for a history that is too long
   */
  async readOn(historyLength: number): Promise<void> {
    if (historyLength <= this.#history.lastEventId) return;
    if (historyLength > MOST_EVENTS) throw tooLong(historyLength);
    await this.#add(historyLength);
    if (this.#explainer.isStale) {
      this.#history = new GrowingHistory(this.#calls, this.#run);
      this.#explainer = this.#newExplainer();
      this.#open = this.#steps.map((_, index) => index);
      await this.#add(historyLength);
    }
    await this.#write();
  }

  async #add(historyLength: number): Promise<void> {
    const events: Fields[] = [];
    for await (const page of this.#history.readOn(historyLength)) events.push(...(await this.#plain(page)));
    if (this.#history.lastEventId > MOST_EVENTS) throw tooLong(this.#history.lastEventId);
    if (events.length > 0) await this.#explainer.add({ events });
  }

  async #plain(page: readonly WireEvent[]): Promise<readonly Fields[]> {
    const events: Fields[] = [];
    for (const event of page) {
      await this.#pause();
      events.push(protoJson('history.v1.HistoryEvent', event));
    }
    await this.#reader.undo(events);
    return events;
  }

  /** Writes steps that are new, and those that may have changed, as JSON. */
  async #write(): Promise<void> {
    const { steps } = this.#explainer;
    const open: number[] = [];
    const fresh = steps.slice(this.#steps.length).map((_, index) => this.#steps.length + index);
    for (const index of [...this.#open, ...fresh]) {
      await this.#pause();
      const step = steps[index];
      if (step === undefined) continue;
      const json = plainJson(step) as Fields;
      if (isOpen(step) || index === steps.length - 1) open.push(index);
      if (JSON.stringify(json) === JSON.stringify(this.#steps[index])) continue;
      this.#steps[index] = json;
      this.#changedAt[index] = this.lastEventId;
    }
    this.#steps.length = steps.length;
    this.#changedAt.length = steps.length;
    this.#open = open;
  }

  #newExplainer(): HistoryExplainer {
    const { workflowId } = this.#run;
    return new HistoryExplainer(this.#source, { workflowId, pause: this.#pause });
  }
}

/** Whether something that the step has set off has no event yet. */
const isOpen = ({ started, sent }: Macrostep): boolean =>
  started.some(({ eventId }) => eventId === 0) || sent.some(({ eventId }) => eventId === 0);

const tooLong = (length: number): NotExplained =>
  new NotExplained(
    `The history has ${length} events; up to ${MOST_EVENTS} are explained, because the machine is run through all of them.`,
  );
