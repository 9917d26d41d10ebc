import { randomUUID } from 'node:crypto';
import { ApiError } from '@steadyhand/contracts';
import { type BatchBody, MAX_LISTED, type WorkflowBatch } from '../shapes/batch.ts';
import type { Actor } from '../shapes/service.ts';
import { choiceOf, maybeTime, numberOf, textOf, timeOf, wordOf } from '../wire/fields.ts';
import { protoJson } from '../wire/proto-json.ts';
import type { TemporalCalls } from '../wire/service.ts';
import type { Capabilities } from './capabilities.ts';
import type { Messages } from './messages.ts';

/** Runs that are acted on at a time, where this is done one by one. */
const AT_A_TIME = 10;

type Result = NonNullable<WorkflowBatch['results']>[number];
type Target = Pick<Result, 'workflow_id' | 'run_id'>;

/** The same done to many: by the server where it has batch operations and a query says to which, else one by one. */
export class Batches {
  readonly #calls: TemporalCalls;
  readonly #messages: Messages;
  readonly #capabilities: Capabilities;

  constructor(calls: TemporalCalls, messages: Messages, capabilities: Capabilities) {
    this.#calls = calls;
    this.#messages = messages;
    this.#capabilities = capabilities;
  }

  async start(body: BatchBody, actor: Actor): Promise<WorkflowBatch> {
    if (body.query === null) return await this.#oneByOne(body, body.workflows ?? [], false, actor);
    const query = `(${body.query}) AND ExecutionStatus = 'Running'`;
    const { available } = await this.#capabilities.batch();
    if (available) return await this.#byServer(body, query, actor);
    const { targets, more } = await this.#found(query);
    return await this.#oneByOne(body, targets, more, actor);
  }

  async retrieve(jobId: string): Promise<WorkflowBatch> {
    const { namespace } = this.#calls;
    const response = await this.#calls.call(`Batch ${jobId}`, (service) =>
      service.describeBatchOperation({ namespace, jobId }),
    );
    const job = protoJson('workflowservice.v1.DescribeBatchOperationResponse', response);
    return {
      type: 'workflow_batch',
      id: jobId,
      action: wordOf(job, 'operationType', 'BATCH_OPERATION_TYPE_'),
      status: choiceOf(job, 'state', 'BATCH_OPERATION_STATE_', ['running', 'completed', 'failed'], 'running'),
      reason: textOf(job, 'reason'),
      total: numberOf(job, 'totalOperationCount'),
      done: numberOf(job, 'completeOperationCount'),
      failed: numberOf(job, 'failureOperationCount'),
      more: false,
      results: null,
      started_at: timeOf(job, 'startTime'),
      ended_at: maybeTime(job, 'closeTime'),
    };
  }

  async #byServer(body: BatchBody, query: string, { identity }: Actor): Promise<WorkflowBatch> {
    const { namespace } = this.#calls;
    const jobId = randomUUID();
    // The server takes a batch with a faulty query and fails it later.
    const { count } = await this.#calls.call('Workflows', (service) =>
      service.countWorkflowExecutions({ namespace, query }),
    );
    const operation =
      body.action === 'cancel'
        ? { cancellationOperation: { identity } }
        : body.action === 'terminate'
          ? { terminationOperation: { identity } }
          : {
              signalOperation: {
                signal: body.signal?.name ?? '',
                input: await this.#messages.payloads(body.signal?.args ?? []),
                identity,
              },
            };
    await this.#calls.call('Batch', (service) =>
      service.startBatchOperation({
        namespace,
        jobId,
        visibilityQuery: query,
        // The server asks for one.
        reason: body.reason || `${body.action} by ${identity}`,
        ...operation,
      }),
    );
    return {
      type: 'workflow_batch',
      id: jobId,
      action: body.action,
      status: 'running',
      reason: body.reason,
      total: Number(String(count ?? 0)),
      done: 0,
      failed: 0,
      more: false,
      results: null,
      started_at: new Date().toISOString(),
      ended_at: null,
    };
  }

  async #oneByOne(
    body: BatchBody,
    targets: readonly Target[],
    more: boolean,
    actor: Actor,
  ): Promise<WorkflowBatch> {
    const started = new Date().toISOString();
    const results: Result[] = [];
    for (let index = 0; index < targets.length; index += AT_A_TIME) {
      const some = targets.slice(index, index + AT_A_TIME);
      results.push(...(await Promise.all(some.map((target) => this.#act(body, target, actor)))));
    }
    const failed = results.filter(({ status }) => status === 'failed').length;
    return {
      type: 'workflow_batch',
      id: null,
      action: body.action,
      status: 'completed',
      reason: body.reason,
      total: results.length,
      done: results.length - failed,
      failed,
      more,
      results,
      started_at: started,
      ended_at: new Date().toISOString(),
    };
  }

  async #act(body: BatchBody, { workflow_id, run_id }: Target, actor: Actor): Promise<Result> {
    const { reason, action, signal } = body;
    try {
      if (action === 'cancel') await this.#messages.cancel(workflow_id, { run_id, reason }, actor);
      else if (action === 'terminate') await this.#messages.terminate(workflow_id, { run_id, reason }, actor);
      else {
        const { name = '', args = [] } = signal ?? {};
        await this.#messages.signal(workflow_id, { run_id, name, args }, actor);
      }
      return { workflow_id, run_id, status: 'done', error: null };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return { workflow_id, run_id, status: 'failed', error: error.message };
    }
  }

  async #found(query: string): Promise<{ readonly targets: readonly Target[]; readonly more: boolean }> {
    const { namespace } = this.#calls;
    const { executions, nextPageToken } = await this.#calls.call('Workflows', (service) =>
      service.listWorkflowExecutions({ namespace, query, pageSize: MAX_LISTED }),
    );
    return {
      targets: (executions ?? []).map(({ execution }) => ({
        workflow_id: execution?.workflowId ?? '',
        run_id: execution?.runId ?? null,
      })),
      more: (nextPageToken?.length ?? 0) > 0,
    };
  }
}
