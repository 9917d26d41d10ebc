import type { google, temporal } from '@temporalio/proto';
import protobuf from 'protobufjs';

/** The 64-bit integer class of the generated messages. */
export type Long = NonNullable<temporal.api.history.v1.IHistoryEvent['eventId']>;

const LongClass = protobuf.util.Long as unknown as { fromNumber(value: number): Long };

export function long(value: number): Long {
  return LongClass.fromNumber(value);
}

/** Reads a 64-bit field; an absent one is 0. Every number that this engine writes is far below 2^53. */
export function toNumber(value: Long | number | null | undefined): number {
  return value == null ? 0 : typeof value === 'number' ? value : value.toNumber();
}

const NANOS_PER_MS = 1_000_000;

/** Makes a protobuf timestamp of `ms` since the epoch, which may have a fraction. */
export function timestamp(ms: number): google.protobuf.ITimestamp {
  const seconds = Math.floor(ms / 1000);
  return { seconds: long(seconds), nanos: Math.round((ms - seconds * 1000) * NANOS_PER_MS) };
}

export function optionalTimestamp(ms: number | undefined): google.protobuf.ITimestamp | null {
  return ms === undefined ? null : timestamp(ms);
}

/** Answers the ms since the epoch of a timestamp; undefined of an absent one. */
export function timestampMs(time: google.protobuf.ITimestamp | null | undefined): number | undefined {
  return time ? toNumber(time.seconds) * 1000 + (time.nanos ?? 0) / NANOS_PER_MS : undefined;
}

/** Makes a protobuf duration of `ms`; zero gives an explicit `0s`. */
export function duration(ms: number): google.protobuf.IDuration {
  const seconds = Math.trunc(ms / 1000);
  const nanos = Math.round((ms - seconds * 1000) * NANOS_PER_MS);
  return nanos === 0 ? { seconds: long(seconds) } : { seconds: long(seconds), nanos };
}

/** Makes a duration as `duration` does, but none of zero and undefined. */
export function optionalDuration(ms: number | undefined): google.protobuf.IDuration | null {
  return ms === undefined || ms === 0 ? null : duration(ms);
}

/** Answers the milliseconds of a duration; those of an absent one are 0. */
export function toMs(value: google.protobuf.IDuration | null | undefined): number {
  return value == null ? 0 : toNumber(value.seconds) * 1000 + (value.nanos ?? 0) / NANOS_PER_MS;
}

const ZEROS: readonly unknown[] = [undefined, null, '', 0, false];

/**
 * Makes a copy without the fields that protobuf does not write: undefined, null, '', 0 and false. Histories of the
 * server leave them out, and protobufjs would write whatever is an own property.
 */
export function withoutZeroValues<T extends object>(message: T): T {
  return Object.fromEntries(Object.entries(message).filter(([, value]) => !ZEROS.includes(value))) as T;
}

/** Makes a payload of JSON text, with the type that search attributes have. */
export function jsonPayload(json: string, type?: string): temporal.api.common.v1.IPayload {
  const encoding = Buffer.from('json/plain');
  return {
    metadata: type === undefined ? { encoding } : { encoding, type: Buffer.from(type) },
    data: Buffer.from(json),
  };
}
