import { setTimeout as pause } from 'node:timers/promises';
import type { temporal } from '@temporalio/proto';
import type { Workflow } from '../shapes/workflow.ts';
import type { PayloadReader } from '../payloads/decode-payloads.ts';
import { type Fields, fieldsOf, maybeMs, textOf, timeOf } from '../wire/fields.ts';
import { protoJson } from '../wire/proto-json.ts';
import type { TemporalCalls } from '../wire/service.ts';
import { attributesOf } from '../views/chain.ts';
import { maybePayload } from '../views/decoded.ts';
import type { WireEvent } from './event-json.ts';
import { GrowingHistory } from './growing-history.ts';
import { payloadLink } from './payload-link.ts';
import type { Run } from '../shapes/service.ts';

/** Runs whose timers are remembered, so that each look reads what is new alone. */
const REMEMBERED = 200;

/** How long somebody waits for the timers of a long history; it is read on meanwhile. */
const PATIENCE_MS = 1500;

interface Known {
  readonly history: GrowingHistory;
  readonly open: Map<string, WireEvent>;
}

/** The timers of runs that were started and have neither fired nor been cancelled, which only the history tells. */
export class OpenTimers {
  readonly #calls: TemporalCalls;
  readonly #reader: PayloadReader;
  readonly #known = new Map<string, Promise<Known>>();

  constructor(calls: TemporalCalls, reader: PayloadReader) {
    this.#calls = calls;
    this.#reader = reader;
  }

  /**
   * The timers, or null where the history is so long that it is still being read: whoever asks again finds more of it read.
   *
   * @param historyLength how many events the run has, by its description
   */
  async of(run: Run, historyLength: number): Promise<Workflow['pending_timers']> {
    const timer = new AbortController();
    const late = pause(PATIENCE_MS, null, { signal: timer.signal, ref: false }).catch(() => null);
    const read = this.#read(run, historyLength);
    // Nobody may be left to hear of a fault.
    read.catch(() => undefined);
    try {
      return await Promise.race([read, late]);
    } finally {
      timer.abort();
    }
  }

  async #read(run: Run, historyLength: number): Promise<Workflow['pending_timers']> {
    const before = this.#known.get(run.runId);
    const nothing = (): Known => ({ history: new GrowingHistory(this.#calls, run), open: new Map() });
    const reading = (before ?? Promise.resolve(nothing()))
      .catch(() => nothing())
      .then((known) => readOn(known, historyLength));
    this.#known.delete(run.runId);
    this.#known.set(run.runId, reading);
    for (const runId of this.#known.keys()) {
      if (this.#known.size <= REMEMBERED) break;
      this.#known.delete(runId);
    }
    const { open } = await reading;
    const events = [...open.values()].map((event) => protoJson('history.v1.HistoryEvent', event));
    await this.#reader.decode(
      events.map((message) => ({
        message,
        hrefOf: (path) => payloadLink(run, path, Number(textOf(message, 'eventId'))),
      })),
    );
    return events.map((event) => timerOf(event));
  }
}

async function readOn(known: Known, historyLength: number): Promise<Known> {
  for await (const events of known.history.readOn(historyLength)) {
    for (const event of events) note(known.open, event);
  }
  return known;
}

function note(open: Map<string, WireEvent>, event: temporal.api.history.v1.IHistoryEvent): void {
  const { timerStartedEventAttributes, timerFiredEventAttributes, timerCanceledEventAttributes } = event;
  if (timerStartedEventAttributes?.timerId) open.set(timerStartedEventAttributes.timerId, event);
  const ended = timerFiredEventAttributes?.timerId ?? timerCanceledEventAttributes?.timerId;
  if (ended) open.delete(ended);
}

function timerOf(event: Fields): NonNullable<Workflow['pending_timers']>[number] {
  const attributes = attributesOf(event);
  const started = timeOf(event, 'eventTime');
  const duration = maybeMs(attributes, 'startToFireTimeout') ?? 0;
  return {
    timer_id: textOf(attributes, 'timerId'),
    started_event_id: Number(textOf(event, 'eventId')),
    started_time: started,
    fires_at: new Date(Date.parse(started) + duration).toISOString(),
    duration_ms: duration,
    summary: maybePayload(fieldsOf(event, 'userMetadata'), 'summary'),
  };
}
