import type { EngineLogger } from '../../connection/engine-logger.ts';
import type { CommitGroup } from '../persistence/commit-group.ts';
import { BatchOperationState, StartBatchOperationRequest, fromEncoded } from '../protocol/proto.ts';
import { RpcError } from '../protocol/rpc-error.ts';
import type { BatchStore, BatchTarget, StoredBatch } from './batch-store.ts';
import { type BatchRequest, type BatchServices, performOn } from './perform-batch.ts';

/** What performing batch operations takes. */
interface RunnerParts extends BatchServices {
  readonly store: BatchStore;
  readonly group: Pick<CommitGroup, 'flush'>;
  readonly logger: EngineLogger;
}

/** How many workflows are changed at a time, so that other requests are served between. */
const AT_ONCE = 50;

/**
 * Performs batch operations, one workflow after the other. Each is changed in the transaction that removes it from what
 * is left, so that a kill repeats and leaves out nothing.
 */
export class BatchRunner {
  readonly #parts: RunnerParts;
  readonly #waiting = new Map<number, NodeJS.Timeout>();
  #stopped = false;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Goes on with every operation that is not over. */
  resume(): void {
    for (const { key } of this.#parts.store.running()) this.start(key);
  }

  start(key: number): void {
    this.#later(key, 0);
  }

  stop(): void {
    this.#stopped = true;
    for (const timer of this.#waiting.values()) clearTimeout(timer);
    this.#waiting.clear();
  }

  #later(key: number, ms: number): void {
    if (this.#stopped) return;
    clearTimeout(this.#waiting.get(key));
    this.#waiting.set(
      key,
      setTimeout(() => {
        this.#waiting.delete(key);
        this.#turn(key);
      }, ms),
    );
  }

  #turn(key: number): void {
    const { store, group, logger } = this.#parts;
    try {
      group.flush();
      const batch = store.get(key);
      if (!batch || batch.record.closeTime !== undefined) return;
      const request = fromEncoded(StartBatchOperationRequest, batch.record.request);
      const rate = request.maxOperationsPerSecond ?? 0;
      const limit = rate > 0 ? Math.max(1, Math.min(AT_ONCE, Math.floor(rate))) : AT_ONCE;
      for (const target of store.targets(key, limit)) this.#perform(batch, request, target);
      group.flush();
      if (store.left(key) === 0) this.#close(batch);
      else this.#later(key, rate > 0 ? (limit * 1000) / rate : 0);
    } catch (error) {
      logger.error({ err: error, batch: key }, 'a batch operation failed and is tried again');
      this.#later(key, 1000);
    }
  }

  #perform(batch: StoredBatch, request: BatchRequest, target: BatchTarget): void {
    const { runs, store, group } = this.#parts;
    const { namespace } = batch.record;
    const { workflowId } = target;
    const runId = target.runId || runs.currentRunId(namespace, workflowId);
    const ref = runId === undefined ? undefined : { namespace, workflowId, runId };
    const settle = (): void => {
      store.removeTarget(batch.key, target.position);
      store.save(batch);
    };
    const { record } = batch;
    try {
      if (request.deletionOperation && ref) {
        runs.transact(() => {
          const state = runs.edit(ref);
          if (state) performOn(this.#parts, state, request);
        });
        // The parent and the children are informed first.
        group.flush();
      }
      runs.transact(() => {
        const state = ref && runs.edit(ref);
        if (state && request.deletionOperation) runs.delete(state.ref, state.key);
        else if (state) performOn(this.#parts, state, request);
        record.completed += 1;
        settle();
      });
    } catch (error) {
      // The transaction went back, also before it counted this one.
      if (!(error instanceof RpcError)) throw error;
      record.failed += 1;
      runs.transact(settle);
    }
  }

  #close(batch: StoredBatch): void {
    const { runs, store } = this.#parts;
    batch.record.state = BatchOperationState.BATCH_OPERATION_STATE_COMPLETED;
    batch.record.closeTime = runs.now();
    runs.transact(() => store.save(batch));
  }
}
