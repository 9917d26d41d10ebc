import { invalidArgument } from './rpc-error.ts';

/** Says where a paged read of a history continues. */
interface HistoryToken {
  readonly runId: string;
  readonly nextEventId: number;
  /** The last event of a bounded read (a workflow task's history). */
  readonly endEventId?: number;
  /** Whether the caller has all events that there were, and now waits for more. */
  readonly wait: boolean;
}

export function encodeHistoryToken(token: HistoryToken): Uint8Array {
  return Buffer.from(JSON.stringify([token.runId, token.nextEventId, token.endEventId ?? 0, token.wait]));
}

export function decodeHistoryToken(bytes: Uint8Array): HistoryToken {
  let fields: unknown;
  try {
    fields = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw invalidArgument('Invalid NextPageToken.');
  }
  const [runId, nextEventId, endEventId, wait] = Array.isArray(fields) ? (fields as unknown[]) : [];
  if (
    typeof runId !== 'string' ||
    typeof nextEventId !== 'number' ||
    typeof endEventId !== 'number' ||
    typeof wait !== 'boolean'
  ) {
    throw invalidArgument('Invalid NextPageToken.');
  }
  return { runId, nextEventId, wait, ...(endEventId > 0 && { endEventId }) };
}
