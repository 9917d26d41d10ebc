import { randomUUID } from 'node:crypto';
import type { temporal } from '@temporalio/proto';
import type {
  QueryBody,
  ResetBody,
  SignalBody,
  UpdateBody,
  WorkflowAction,
  WorkflowQuery,
  WorkflowReset,
  WorkflowUpdate,
} from '../shapes/messages.ts';
import { InvalidRequestError } from '@steadyhand/contracts';
import type { Actor } from '../shapes/service.ts';
import type { PayloadReader } from '../payloads/decode-payloads.ts';
import { jsonPayloads, toMessage } from '../payloads/wire-payload.ts';
import { payloadsOf } from '../views/decoded.ts';
import { failureOf } from '../views/failure.ts';
import { type Fields, fieldsOf, maybeFields, maybeText, wordOf } from '../wire/fields.ts';
import { long } from '../wire/long.ts';
import { protoJson } from '../wire/proto-json.ts';
import { isTimeout } from '../wire/rpc-errors.ts';
import type { TemporalCalls } from '../wire/service.ts';
import { resetPoint } from './reset-point.ts';

type Execution = temporal.api.common.v1.IWorkflowExecution;

const QUERY_MS = 10_000;
const NOWHERE = (): null => null;

const executionOf = (workflowId: string, runId: string | null): Execution => ({
  workflowId,
  runId: runId ?? '',
});

/** What is sent to one workflow. */
export class Messages {
  readonly #calls: TemporalCalls;
  readonly #reader: PayloadReader;

  constructor(calls: TemporalCalls, reader: PayloadReader) {
    this.#calls = calls;
    this.#reader = reader;
  }

  async payloads(args: readonly unknown[]): Promise<temporal.api.common.v1.IPayloads> {
    const encoded = await this.#reader.encode(jsonPayloads(args));
    return { payloads: encoded.map((payload) => toMessage(payload)) };
  }

  async query(
    workflowId: string,
    { run_id, name, args }: QueryBody,
    deadlineMs = QUERY_MS,
  ): Promise<WorkflowQuery> {
    const { namespace } = this.#calls;
    const queryArgs = await this.payloads(args);
    const response = await this.#calls.call(
      `Workflow ${workflowId}`,
      (service) =>
        service.queryWorkflow({
          namespace,
          execution: executionOf(workflowId, run_id),
          query: { queryType: name, queryArgs },
        }),
      { deadlineMs },
    );
    const answer = await this.#decoded('workflowservice.v1.QueryWorkflowResponse', response);
    return {
      type: 'workflow_query',
      workflow_id: workflowId,
      run_id,
      name,
      result: payloadsOf(answer, 'queryResult'),
    };
  }

  async signal(workflowId: string, body: SignalBody, { identity }: Actor): Promise<WorkflowAction> {
    const { namespace } = this.#calls;
    const input = await this.payloads(body.args);
    await this.#calls.call(`Workflow ${workflowId}`, (service) =>
      service.signalWorkflowExecution({
        namespace,
        workflowExecution: executionOf(workflowId, body.run_id),
        signalName: body.name,
        input,
        identity,
        requestId: randomUUID(),
      }),
    );
    return actionOf('signal', workflowId, body.run_id);
  }

  async cancel(
    workflowId: string,
    { run_id, reason }: { readonly run_id: string | null; readonly reason: string },
    { identity }: Actor,
  ): Promise<WorkflowAction> {
    const { namespace } = this.#calls;
    await this.#calls.call(`Workflow ${workflowId}`, (service) =>
      service.requestCancelWorkflowExecution({
        namespace,
        workflowExecution: executionOf(workflowId, run_id),
        reason,
        identity,
        requestId: randomUUID(),
      }),
    );
    return actionOf('cancel', workflowId, run_id);
  }

  async terminate(
    workflowId: string,
    { run_id, reason }: { readonly run_id: string | null; readonly reason: string },
    { identity }: Actor,
  ): Promise<WorkflowAction> {
    const { namespace } = this.#calls;
    await this.#calls.call(`Workflow ${workflowId}`, (service) =>
      service.terminateWorkflowExecution({
        namespace,
        workflowExecution: executionOf(workflowId, run_id),
        reason,
        identity,
      }),
    );
    return actionOf('terminate', workflowId, run_id);
  }

  async reset(workflowId: string, runId: string, body: ResetBody, actor: Actor): Promise<WorkflowReset> {
    const { namespace } = this.#calls;
    const run = { workflowId, runId };
    const eventId = body.event_id ?? (await resetPoint(this.#calls, run, body.to ?? 'last_workflow_task'));
    if (eventId === null)
      throw new InvalidRequestError('to: Expected a run that has completed a workflow task');
    const response = await this.#calls.call(`Workflow ${workflowId}`, (service) =>
      service.resetWorkflowExecution({
        namespace,
        workflowExecution: run,
        reason: body.reason,
        workflowTaskFinishEventId: long(eventId),
        requestId: randomUUID(),
        // RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL and _UPDATE
        resetReapplyExcludeTypes: body.exclude.map((kind) => (kind === 'signal' ? 1 : 2)),
        identity: actor.identity,
      }),
    );
    return {
      type: 'workflow_reset',
      workflow_id: workflowId,
      run_id: runId,
      new_run_id: response.runId ?? '',
    };
  }

  async update(workflowId: string, body: UpdateBody, { identity }: Actor): Promise<WorkflowUpdate> {
    const { namespace } = this.#calls;
    const deadline = Date.now() + body.timeout_s * 1000;
    const updateId = body.update_id ?? randomUUID();
    // UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_ACCEPTED and _COMPLETED
    const waitPolicy = { lifecycleStage: body.wait_for === 'accepted' ? 2 : 3 };
    const args = await this.payloads(body.args);
    const what = `Workflow ${workflowId}`;
    let runId = body.run_id;
    let answer: Fields = {};
    const isReached = (): boolean =>
      maybeFields(answer, 'outcome') !== null ||
      (body.wait_for === 'accepted' && wordOf(answer, 'stage', STAGE) === 'accepted');
    do {
      const left = Math.max(deadline - Date.now(), 1);
      try {
        // The same request with the same id is the same update, and is waited for again.
        const response = await this.#calls.call(
          what,
          (service) =>
            service.updateWorkflowExecution({
              namespace,
              workflowExecution: executionOf(workflowId, runId),
              waitPolicy,
              request: { meta: { updateId, identity }, input: { name: body.name, args } },
            }),
          { deadlineMs: left },
        );
        answer = await this.#decoded('workflowservice.v1.UpdateWorkflowExecutionResponse', response);
        runId = maybeText(fieldsOf(fieldsOf(answer, 'updateRef'), 'workflowExecution'), 'runId') ?? runId;
      } catch (error) {
        if (!isTimeout((error as Error).cause) || Date.now() < deadline - 50) throw error;
      }
    } while (!isReached() && Date.now() < deadline);
    return updateView(workflowId, runId, updateId, answer);
  }

  async #decoded(type: string, message: object): Promise<Fields> {
    const json = protoJson(type, message);
    await this.#reader.decode([{ message: json, hrefOf: NOWHERE }], 'decoded', { whole: true });
    return json;
  }
}

const STAGE = 'UPDATE_WORKFLOW_EXECUTION_LIFECYCLE_STAGE_';

function updateView(
  workflowId: string,
  runId: string | null,
  updateId: string,
  answer: Fields,
): WorkflowUpdate {
  const outcome = maybeFields(answer, 'outcome');
  const failure = outcome === null ? null : failureOf(outcome, 'failure');
  const stage = wordOf(answer, 'stage', STAGE);
  return {
    type: 'workflow_update',
    workflow_id: workflowId,
    run_id: runId,
    update_id: updateId,
    stage: outcome !== null ? 'completed' : stage === 'accepted' ? 'accepted' : 'admitted',
    result: outcome === null || failure !== null ? null : payloadsOf(outcome, 'success'),
    failure,
  };
}

const actionOf = (
  action: WorkflowAction['action'],
  workflowId: string,
  runId: string | null,
): WorkflowAction => ({
  type: 'workflow_action',
  action,
  workflow_id: workflowId,
  run_id: runId,
});
