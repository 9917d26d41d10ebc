import type { temporal } from '@temporalio/proto';
import type { Clock } from '../primitives/clock.ts';
import { WorkerStatus } from '../protocol/proto.ts';

export type WorkerHeartbeat = temporal.api.worker.v1.IWorkerHeartbeat;

/** Workers tell of themselves every minute unless they are told otherwise; one that is silent for this long has ended. */
const SILENT_FOR_MS = 10 * 60_000;

/** What workers have last told of themselves, by namespace. It is not stored: after a restart they tell it again. */
export class WorkerRegistry {
  readonly #now: Clock;
  readonly #namespaces = new Map<
    string,
    Map<string, { readonly heartbeat: WorkerHeartbeat; readonly at: number }>
  >();

  constructor(now: Clock) {
    this.#now = now;
  }

  /** Takes what a worker tells; one that says that it has ended is forgotten. */
  record(namespace: string, heartbeat: WorkerHeartbeat): void {
    const workers = this.#workers(namespace);
    const key = heartbeat.workerInstanceKey ?? '';
    if (heartbeat.status === WorkerStatus.WORKER_STATUS_SHUTDOWN) workers.delete(key);
    else workers.set(key, { heartbeat, at: this.#now() });
  }

  /** The workers of a namespace in the order of their keys. */
  list(namespace: string): readonly WorkerHeartbeat[] {
    const workers = this.#workers(namespace);
    const since = this.#now() - SILENT_FOR_MS;
    for (const [key, { at }] of workers) if (at < since) workers.delete(key);
    return [...workers].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, { heartbeat }]) => heartbeat);
  }

  get(namespace: string, key: string): WorkerHeartbeat | undefined {
    return this.list(namespace).find(({ workerInstanceKey }) => (workerInstanceKey ?? '') === key);
  }

  #workers(namespace: string): Map<string, { readonly heartbeat: WorkerHeartbeat; readonly at: number }> {
    const known = this.#namespaces.get(namespace);
    if (known !== undefined) return known;
    const workers = new Map<string, { readonly heartbeat: WorkerHeartbeat; readonly at: number }>();
    this.#namespaces.set(namespace, workers);
    return workers;
  }
}
