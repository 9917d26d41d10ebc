import type { Connection, OperatorService, WorkflowService } from '@temporalio/client';
import { apiErrorOf, isCancelled } from './rpc-errors.ts';

/** How long a call may take that does not wait for anything. */
const CALL_MS = 10_000;

export interface CallLimits {
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
}

/** The services of a Temporal server, whose calls end in time, with their errors as those of the API. */
export class TemporalCalls {
  readonly #connection: Connection;
  readonly namespace: string;

  constructor(connection: Connection, namespace: string) {
    this.#connection = connection;
    this.namespace = namespace;
  }

  /** @param what is asked for, e.g. `Workflow order-7` */
  async call<T>(
    what: string,
    ask: (service: WorkflowService) => Promise<T>,
    limits?: CallLimits,
  ): Promise<T> {
    try {
      return await this.raw(ask, limits);
    } catch (error) {
      // Whoever waited has gone.
      if (isCancelled(error) && limits?.signal?.aborted) throw limits.signal.reason;
      throw apiErrorOf(error, what);
    }
  }

  /** The same with the errors of gRPC. */
  async raw<T>(
    ask: (service: WorkflowService) => Promise<T>,
    { deadlineMs = CALL_MS, signal }: CallLimits = {},
  ): Promise<T> {
    const connection = this.#connection;
    const run = (): Promise<T> =>
      connection.withDeadline(Date.now() + deadlineMs, () => ask(connection.workflowService));
    // Each call listens to a signal of its own, which goes with it: the client never takes its listeners away.
    return await (signal === undefined ? run() : connection.withAbortSignal(AbortSignal.any([signal]), run));
  }

  async operator<T>(ask: (service: OperatorService) => Promise<T>): Promise<T> {
    const connection = this.#connection;
    return await connection.withDeadline(Date.now() + CALL_MS, () => ask(connection.operatorService));
  }
}
