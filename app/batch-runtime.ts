import type { Logger } from 'pino';
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import type { BatchRecord, Store } from '../store/index.ts';
import type { BatchRuntime as Runtime } from '../server/services.ts';
import type { BatchStart } from '../workflows/batch/batch-start.ts';
import { BATCH_TASK_QUEUE, TASK_QUEUE } from './worker.ts';

const RETRY_MS = 2000;
/** Somewhat more than the age from which a half-written batch is nobody's. */
const SWEEP_MS = 65 * 60 * 1000;

export interface BatchRuntimeOptions {
  readonly client: Client;
  readonly store: Pick<Store, 'batches'>;
  readonly log: Logger;
  /** Requests of one batch that are under way at a time. */
  readonly concurrency: number;
}

/**
 * Stands between the batches in the store and their workflows. A batch's own state is its outbox: one that has not ended
 * needs a workflow, and one that is canceling needs it to know.
 */
export class BatchRuntime implements Runtime {
  readonly #options: BatchRuntimeOptions;
  #again: NodeJS.Timeout | undefined;
  #sweeping: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: BatchRuntimeOptions) {
    this.#options = options;
  }

  /** A service that cannot be reached only delays it: the batch is offered again until it is taken. */
  async deliver(id: string): Promise<void> {
    try {
      const batch = await this.#options.store.batches.get(id);
      if (batch !== undefined && batch.status !== 'ended') await this.#deliver(batch);
    } catch (error) {
      this.#options.log.warn({ err: error, batch: id }, 'batch not handed on yet');
      this.#retry();
    }
  }

  /** Hands on every batch that has not ended, and clears away what an earlier process left half written. */
  async deliverAll(): Promise<void> {
    const { store, log } = this.#options;
    if (!this.#closed) {
      this.#sweeping ??= setInterval(() => {
        store.batches
          .sweep()
          .catch((error: unknown) => log.error({ err: error }, 'half-written batches not cleared away'));
      }, SWEEP_MS).unref();
    }
    await store.batches.sweep();
    for (const id of await store.batches.unfinished()) await this.deliver(id);
  }

  /** Stops offering; what was not handed on waits for the next start. */
  close(): void {
    clearTimeout(this.#again);
    clearInterval(this.#sweeping);
    this.#closed = true;
  }

  #retry(): void {
    if (this.#again !== undefined || this.#closed) return;
    this.#again = setTimeout(() => {
      this.#again = undefined;
      this.deliverAll().catch((error: unknown) => {
        this.#options.log.error({ err: error }, 'the batches cannot be read');
        this.#retry();
      });
    }, RETRY_MS);
  }

  async #deliver(batch: BatchRecord): Promise<void> {
    const { client, concurrency } = this.#options;
    const workflowId = `batch/${batch.id}`;
    const start: BatchStart = {
      batch: batch.id,
      requests: batch.requests,
      expiresAt: Date.parse(batch.expires_at),
      lanes: Math.min(concurrency, batch.requests),
      taskQueue: BATCH_TASK_QUEUE,
    };
    try {
      await client.workflow.start('batch', {
        taskQueue: TASK_QUEUE,
        workflowId,
        args: [start],
        // One that somebody terminated is taken up again; one that is through is not.
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    if (batch.status !== 'canceling') return;
    try {
      await client.workflow.getHandle(workflowId).signal('cancel');
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }
}
