import { invalidArgument } from '../protocol/rpc-error.ts';

/** Says where a page ended, by the sort key of its last run in microseconds. `closeTime` is null for an open run. */
interface PagePosition {
  readonly closeTime: number | null;
  readonly startTime: number;
  readonly runId: string;
}

export function encodePageToken({ closeTime, startTime, runId }: PagePosition): Uint8Array {
  return Buffer.from(JSON.stringify({ CloseTime: closeTime, StartTime: startTime, RunID: runId }));
}

/** @throws RpcError INVALID_ARGUMENT for bytes that `encodePageToken` did not make */
export function decodePageToken(token: Uint8Array): PagePosition {
  let content: unknown;
  try {
    content = JSON.parse(Buffer.from(token).toString('utf8'));
  } catch {
    throw invalidArgument('invalid NextPageToken');
  }
  const { CloseTime, StartTime, RunID } = (content ?? {}) as Record<string, unknown>;
  const closeTime = CloseTime ?? null;
  if ((closeTime !== null && !isTime(closeTime)) || !isTime(StartTime) || typeof RunID !== 'string') {
    throw invalidArgument('invalid NextPageToken');
  }
  return { closeTime, startTime: StartTime, runId: RunID };
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}
