import { type ApiAnswer, type ApiBody, call } from '../../client/api.ts';

type BatchRequest = ApiBody<'POST /v1/workflow_batches'>;
export type Batch = ApiAnswer<'POST /v1/workflow_batches'>;
export type BatchResult = NonNullable<Batch['results']>[number];

/** What is done to each workflow. */
export type BatchAct = Pick<BatchRequest, 'action' | 'reason' | 'signal'>;

export interface BatchProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly ended: boolean;
  /** None where the server tells numbers alone. */
  readonly results: readonly BatchResult[];
  /** The query finds more than were acted on. */
  readonly more: boolean;
}

/** So many go in one request, so that the progress is seen. */
const AT_ONCE = 20;
const POLL_MS = 1000;

/** Does it to these runs, and tells how far it has come after each few. */
export async function actOnRuns(
  act: BatchAct,
  runs: NonNullable<BatchRequest['workflows']>,
  tell: (progress: BatchProgress) => void,
): Promise<void> {
  const results: BatchResult[] = [];
  for (let at = 0; at < runs.length; at += AT_ONCE) {
    const workflows = runs.slice(at, at + AT_ONCE);
    const batch = await call('POST /v1/workflow_batches', { body: { ...act, workflows } });
    results.push(...(batch.results ?? []));
    const failed = results.filter(({ status }) => status === 'failed').length;
    const ended = results.length >= runs.length;
    tell({
      total: runs.length,
      done: results.length - failed,
      failed,
      ended,
      results: [...results],
      more: false,
    });
  }
}

/** Does it to all running ones that a query finds, and waits until the server has. */
export async function actOnQuery(
  act: BatchAct,
  query: string,
  tell: (progress: BatchProgress) => void,
): Promise<void> {
  let batch: Batch = await call('POST /v1/workflow_batches', { body: { ...act, query } });
  for (;;) {
    const { total, done, failed, status, results, more, id } = batch;
    tell({ total, done, failed, ended: status !== 'running', results: results ?? [], more });
    if (status !== 'running' || id === null) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    batch = await call('GET /v1/workflow_batches/{batch_id}', { params: { batch_id: id } });
  }
}
