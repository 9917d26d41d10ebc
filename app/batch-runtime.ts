import type { Logger } from 'pino';
import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import type { BatchRuntime as Runtime } from '@steadyhand/server';
import type { BatchRecord, Store } from '@steadyhand/store';
import type { BatchStart } from '@steadyhand/workflows';
import type { TaskQueues } from './task-queues.ts';

const RETRY_MS = 2000;
/** Somewhat more than the age from which a half-written batch counts as abandoned. */
const SWEEP_MS = 65 * 60 * 1000;

interface BatchRuntimeOptions {
  readonly client: Client;
  readonly store: Pick<Store, 'batches'>;
  readonly log: Logger;
  readonly taskQueues: TaskQueues;
  /** The number of requests of one batch that are under way at a time. */
  readonly concurrency: number;
}

/**
 * Starts and cancels the workflows of the batches in the store. A batch's own state is its outbox: a batch that has not ended
 * needs a workflow, and the workflow of a batch that is canceling needs the signal.
 */
export class BatchRuntime implements Runtime {
  readonly #options: BatchRuntimeOptions;
  #retryTimer: NodeJS.Timeout | undefined;
  #sweepTimer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: BatchRuntimeOptions) {
    this.#options = options;
  }

  /** Starts the batch's workflow. While Temporal cannot be reached, this is tried again every few seconds. */
  async deliver(id: string): Promise<void> {
    try {
      const batch = await this.#options.store.batches.get(id);
      if (batch !== undefined && batch.status !== 'ended') await this.#deliver(batch);
    } catch (error) {
      this.#options.log.warn({ err: error, batch: id }, 'batch not handed on yet');
      this.#retry();
    }
  }

  /** Starts the workflow of every batch that has not ended, and removes what an earlier process left half written. */
  async deliverAll(): Promise<void> {
    const { store, log } = this.#options;
    if (!this.#closed) {
      this.#sweepTimer ??= setInterval(() => {
        store.batches
          .sweep()
          .catch((error: unknown) => log.error({ err: error }, 'half-written batches not cleared away'));
      }, SWEEP_MS).unref();
    }
    await store.batches.sweep();
    for (const id of await store.batches.unfinished()) await this.deliver(id);
  }

  /** Stops trying; what was not delivered waits for the next start. */
  close(): void {
    clearTimeout(this.#retryTimer);
    clearInterval(this.#sweepTimer);
    this.#closed = true;
  }

  #retry(): void {
    if (this.#retryTimer !== undefined || this.#closed) return;
    this.#retryTimer = setTimeout(() => {
      this.#retryTimer = undefined;
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
      taskQueue: this.#options.taskQueues.batches,
    };
    try {
      await client.workflow.start('batch', {
        taskQueue: this.#options.taskQueues.sessions,
        workflowId,
        args: [start],
        // A workflow that somebody terminated is started again; one that has completed is not.
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
