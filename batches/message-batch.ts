import type { BatchOutcome, BatchRecord, ListedRequest, ResultLine } from '@steadyhand/store';

/** A batch as the API answers it. */
export interface MessageBatch {
  readonly id: string;
  readonly type: 'message_batch';
  readonly processing_status: 'in_progress' | 'canceling' | 'ended';
  /** All requests count as `processing` until the whole batch has ended. */
  readonly request_counts: Readonly<
    Record<'processing' | 'succeeded' | 'errored' | 'canceled' | 'expired', number>
  >;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly expires_at: string;
  readonly cancel_initiated_at: string | null;
  /** Always null: results stay until the batch is deleted. */
  readonly archived_at: null;
  readonly results_url: string | null;
}

export interface DeletedMessageBatch {
  readonly id: string;
  readonly type: 'message_batch_deleted';
}

export interface MessageBatchPage {
  readonly data: readonly MessageBatch[];
  readonly has_more: boolean;
  readonly first_id: string | null;
  readonly last_id: string | null;
}

/** How far a batch is, also while it runs. */
export type BatchProgress = Readonly<Record<BatchOutcome, number>> & {
  readonly id: string;
  readonly type: 'message_batch_progress';
};

/** One request of a batch, without its params. */
export interface ListedBatchRequest {
  readonly position: number;
  readonly custom_id: string;
  readonly status: BatchOutcome;
  /** As in a line of the results; null for one that has no answer. */
  readonly result: Readonly<Record<string, unknown>> | null;
}

export interface BatchRequest extends ListedBatchRequest {
  readonly params: Readonly<Record<string, unknown>>;
}

export interface BatchRequestPage {
  readonly data: readonly ListedBatchRequest[];
  readonly has_more: boolean;
}

export function requestView({ position, custom_id, status, result }: ListedRequest): ListedBatchRequest {
  return {
    position,
    custom_id,
    status,
    result: result === null ? null : (JSON.parse(result.json) as Record<string, unknown>),
  };
}

/** Params as they were sent. They are JSON, which was checked when the batch was taken. */
export function paramsOf(params: Uint8Array): Readonly<Record<string, unknown>> {
  return JSON.parse(Buffer.from(params).toString('utf8')) as Record<string, unknown>;
}

/** @param origin where the client reaches this server, e.g. `http://127.0.0.1:8080` */
export function batchView(record: BatchRecord, origin: string): MessageBatch {
  const { id, status, counts, created_at, ended_at, expires_at, cancel_initiated_at } = record;
  const hasEnded = status === 'ended';
  return {
    id,
    type: 'message_batch',
    processing_status: status,
    request_counts: { processing: hasEnded ? 0 : record.requests, ...counts },
    created_at,
    ended_at,
    expires_at,
    cancel_initiated_at,
    archived_at: null,
    results_url: hasEnded ? `${origin}/v1/messages/batches/${id}/results` : null,
  };
}

/** A line of the results. */
export function resultLine({ custom_id, result }: ResultLine): string {
  const outcome = 'json' in result ? result.json : JSON.stringify(result);
  return `{"custom_id":${JSON.stringify(custom_id)},"result":${outcome}}\n`;
}
