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
import { Rounds } from './rounds.ts';
import type { TaskQueues } from './task-queues.ts';

/** How often batches are looked for that nobody has handed on. */
const LOOK_MS = 5000;
/** How often all are offered again, for workflows that are gone. */
const OFFER_MS = 10 * 60 * 1000;
/** How long Temporal may take to answer; then the batch is offered again in a later round. */
const HAND_ON_MS = 5000;
/** Somewhat more than the age from which a half-written batch counts as abandoned. */
const SWEEP_MS = 65 * 60 * 1000;

interface BatchRuntimeOptions {
  readonly client: Client;
  readonly store: Pick<Store, 'batches'>;
  readonly log: Logger;
  readonly taskQueues: TaskQueues;
  /** The number of requests of one batch that are under way at a time. */
  readonly concurrency: number;
  /** After this time a workflow's task is lost with its worker. */
  readonly workflowTaskTimeoutMs: number;
}

/**
 * Starts and cancels the workflows of the batches in the store. A batch's own state is its outbox: a batch that has not ended
 * needs a workflow, and the workflow of a batch that is canceling needs the signal.
 */
export class BatchRuntime implements Runtime {
  readonly #options: BatchRuntimeOptions;
  readonly #rounds: readonly Rounds[];
  /** The status that each unfinished batch had when its workflow took it from this process. */
  readonly #handedOn = new Map<string, BatchRecord['status']>();
  readonly #underWay = new Set<Promise<void>>();
  #closed = false;

  constructor(options: BatchRuntimeOptions) {
    this.#options = options;
    const { store, log } = options;
    const rounds = (everyMs: number, work: () => Promise<void>, what: string): Rounds =>
      new Rounds({ everyMs, work, failed: (error) => log.error({ err: error }, what) });
    this.#rounds = [
      rounds(OFFER_MS, () => this.deliverAll(), 'the batches cannot be read'),
      rounds(LOOK_MS, () => this.#deliverNew(), 'the batches cannot be read'),
      rounds(SWEEP_MS, () => store.batches.sweep(), 'half-written batches not cleared away'),
    ];
  }

  /** Starts the batch's workflow. While Temporal cannot be reached, every server tries this again every few seconds. */
  async deliver(id: string): Promise<void> {
    if (this.#closed) return;
    const delivery = this.#handOn(id);
    this.#underWay.add(delivery);
    await delivery;
    this.#underWay.delete(delivery);
  }

  /** Starts the workflow of every batch that has not ended, also of those that had one. */
  async deliverAll(): Promise<void> {
    this.#handedOn.clear();
    await this.#deliverNew();
  }

  /** From now on hands on what nobody has handed on, and removes what a process left half written. */
  start(): void {
    for (const rounds of this.#rounds) rounds.start();
  }

  /**
   * Stops trying, and waits for what is under way; what was not delivered waits for another server, or for the next start. A call
   * that the client repeats would fail in nobody's hands once its connection is closed.
   */
  async close(): Promise<void> {
    this.#closed = true;
    for (const rounds of this.#rounds) rounds.close();
    await Promise.all(this.#underWay);
  }

  /** Hands on what this process has not handed on as it is now. */
  async #deliverNew(): Promise<void> {
    const unfinished = await this.#options.store.batches.unfinished();
    for (const id of unfinished) await this.deliver(id);
    for (const id of this.#handedOn.keys()) if (!unfinished.includes(id)) this.#handedOn.delete(id);
  }

  /** Never rejects. */
  async #handOn(id: string): Promise<void> {
    const { client, log, store } = this.#options;
    try {
      const batch = await store.batches.get(id);
      if (batch === undefined || batch.status === 'ended' || this.#handedOn.get(id) === batch.status) return;
      await client.withDeadline(Date.now() + HAND_ON_MS, () => this.#deliver(batch));
      this.#handedOn.set(id, batch.status);
    } catch (error) {
      log.warn({ err: error, batch: id }, 'batch not handed on yet');
    }
  }

  async #deliver(batch: BatchRecord): Promise<void> {
    const { client, concurrency, workflowTaskTimeoutMs } = this.#options;
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
        workflowTaskTimeout: workflowTaskTimeoutMs,
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
