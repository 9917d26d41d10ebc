import type { temporal } from '@temporalio/proto';
import { timestampMs, toMs } from '../../protocol/values.ts';
import { Calendar } from './calendar.ts';
import { fingerprint32 } from './fingerprint.ts';
import { LAST_YEAR } from './ranges.ts';
import { SpecError } from './spec-error.ts';
import { TimeZone } from './time-zone.ts';

/** A time at which a schedule acts, in ms since the epoch: as the spec says it, and with its jitter. */
export interface ActionTime {
  readonly nominal: number;
  readonly actual: number;
}

/** A spec that leaves out so many times in a row has none left: looking further would hold up everything else. */
const MOST_EXCLUDED = 200_000;

/** From the year 1, where the server's times begin, to the epoch, in seconds. */
const YEAR_ONE = 62_135_596_800n;

/** A spec in canonical form, ready to be asked for times. */
export class CompiledSpec {
  readonly #calendars: readonly Calendar[];
  readonly #excluded: readonly Calendar[];
  readonly #intervals: readonly { readonly seconds: number; readonly phase: number }[];
  readonly #start: number;
  readonly #end: number;
  readonly #jitterMs: number;

  /**
   * @param spec in the form of `canonicalSpec`
   * @throws SpecError for an unknown time zone
   */
  constructor(spec: temporal.api.schedule.v1.IScheduleSpec) {
    if (spec.timezoneData?.length) throw new SpecError('timezone data is not supported, name a time zone');
    const zone = new TimeZone(spec.timezoneName ?? '');
    this.#calendars = (spec.structuredCalendar ?? []).map((calendar) => new Calendar(calendar, zone));
    this.#excluded = (spec.excludeStructuredCalendar ?? []).map((calendar) => new Calendar(calendar, zone));
    this.#intervals = (spec.interval ?? []).map(({ interval, phase }) => ({
      seconds: Math.max(1, Math.trunc(toMs(interval) / 1000)),
      phase: Math.max(0, Math.trunc(toMs(phase) / 1000)),
    }));
    this.#start = timestampMs(spec.startTime) ?? 0;
    this.#end = timestampMs(spec.endTime) ?? Infinity;
    this.#jitterMs = Math.max(0, Math.trunc(toMs(spec.jitter)));
  }

  /** How long jitter delays a time at most, in ms. */
  get longestDelayMs(): number {
    return this.#jitterMs;
  }

  /** Answers the first time after `after` (ms since the epoch); undefined when there is none any more. */
  next(jitterSeed: string, after: number): ActionTime | undefined {
    let nominal: number | undefined = Math.floor(Math.max(after, this.#start - 1000) / 1000);
    let excluded = 0;
    do {
      nominal = this.#nextSecond(nominal);
      if (nominal === undefined || nominal * 1000 > this.#end || isTooLate(nominal)) return undefined;
      if (excluded++ > MOST_EXCLUDED) return undefined;
    } while (this.#isExcluded(nominal));
    const following = this.#nextSecond(nominal);
    const room = following === undefined ? Infinity : (following - nominal) * 1000;
    const jitter = jitterOf(jitterSeed, nominal, Math.min(this.#jitterMs, room));
    return { nominal: nominal * 1000, actual: nominal * 1000 + jitter };
  }

  #nextSecond(after: number): number | undefined {
    let first: number | undefined;
    for (const calendar of this.#calendars) {
      const next = calendar.next(after);
      if (next !== undefined && (first === undefined || next < first)) first = next;
    }
    for (const { seconds, phase } of this.#intervals) {
      const next = (Math.trunc((after - phase) / seconds) + 1) * seconds + phase;
      if (first === undefined || next < first) first = next;
    }
    return first;
  }

  #isExcluded(second: number): boolean {
    return this.#excluded.some((calendar) => calendar.matches(second));
  }
}

function isTooLate(second: number): boolean {
  return new Date(second * 1000).getUTCFullYear() > LAST_YEAR;
}

/** Answers a delay below `maximumMs`, always the same one for a seed and a time. */
function jitterOf(seed: string, second: number, maximumMs: number): number {
  if (maximumMs <= 0) return 0;
  const range = Math.min(maximumMs, 0xffff_ffff);
  // The server hashes its own encoding of the time: a version, seconds, nanoseconds, and -1 minute for UTC.
  const time = Buffer.alloc(15, 0);
  time.writeUInt8(1, 0);
  time.writeBigInt64BE(BigInt(second) + YEAR_ONE, 1);
  time.writeInt16BE(-1, 13);
  const hash = fingerprint32(Buffer.concat([time, Buffer.from(seed)]));
  return Number((BigInt(hash) * BigInt(range)) >> 32n);
}
