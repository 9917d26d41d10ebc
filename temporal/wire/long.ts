import type { temporal } from '@temporalio/proto';
import protobuf from 'protobufjs';

/** The 64-bit integer class of the generated messages. */
type Long = NonNullable<temporal.api.history.v1.IHistoryEvent['eventId']>;

const LongClass = protobuf.util.Long as unknown as { fromNumber(value: number): Long };

export const long = (value: number): Long => LongClass.fromNumber(value);
