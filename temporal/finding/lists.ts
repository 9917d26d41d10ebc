import { InvalidRequestError } from '@steadyhand/contracts';
import type { Page } from '../shapes/common.ts';
import {
  STATUSES,
  type WorkflowCount,
  type WorkflowStatus,
  type WorkflowSummary,
} from '../shapes/summary.ts';
import type { PageRequest, Run } from '../shapes/service.ts';
import type { WorkflowRun } from '../shapes/workflow.ts';
import type { PayloadReader } from '../payloads/decode-payloads.ts';
import { firstEvent } from '../histories/read-history.ts';
import { payloadLink } from '../histories/payload-link.ts';
import { attributesOf, continuedFrom } from '../views/chain.ts';
import { summaryOf } from '../views/summary.ts';
import { type Fields, fieldsOf, numberOf, textOf } from '../wire/fields.ts';
import { bytesText, decodePlace, encodePlace, textBytes } from '../wire/page-token.ts';
import { protoJson } from '../wire/proto-json.ts';
import { isInvalid } from '../wire/rpc-errors.ts';
import type { TemporalCalls } from '../wire/service.ts';

/** Finds runs by the server's query language. */
export class Lists {
  readonly #calls: TemporalCalls;
  readonly #reader: PayloadReader;

  constructor(calls: TemporalCalls, reader: PayloadReader) {
    this.#calls = calls;
    this.#reader = reader;
  }

  async list(query: string, { limit, page }: PageRequest): Promise<Page<WorkflowSummary>> {
    const { namespace } = this.#calls;
    const token = page === null ? undefined : this.#tokenOf(page, query);
    const { executions, nextPageToken } = await this.#calls.call('Workflows', (service) =>
      service.listWorkflowExecutions({
        namespace,
        query,
        pageSize: limit,
        ...(token === undefined ? {} : { nextPageToken: token }),
      }),
    );
    const infos = (executions ?? []).map((info) => protoJson('workflow.v1.WorkflowExecutionInfo', info));
    await this.#reader.decode(
      infos.map((message) => ({
        message,
        hrefOf: (path) => payloadLink(runOf(message), `workflowExecutionInfo.${path}`),
      })),
      'decoded',
    );
    return {
      data: infos.map((info) => summaryOf(info)),
      next_page:
        (nextPageToken?.length ?? 0) === 0 ? null : encodePlace({ query, token: bytesText(nextPageToken) }),
    };
  }

  async count(query: string): Promise<WorkflowCount> {
    const { namespace } = this.#calls;
    const grouped = `${query} GROUP BY ExecutionStatus`.trim();
    try {
      const response = await this.#calls.raw((service) =>
        service.countWorkflowExecutions({ namespace, query: grouped }),
      );
      const groups = (response.groups ?? []).map((group) => {
        const json = protoJson('workflowservice.v1.CountWorkflowExecutionsResponse.AggregationGroup', group);
        return [statusOfGroup(json), numberOf(json, 'count')] as const;
      });
      return countOf(query, Number(String(response.count ?? 0)), groups);
    } catch (error) {
      // What is wrong may be the query alone: then the server says so of it. Else the server does not group.
      if (!isInvalid(error)) return await this.#calls.call('Workflows', () => Promise.reject(error as Error));
      return await this.#countEach(query);
    }
  }

  /** The runs of a workflow, newest first, with what each continues. */
  async runs(workflowId: string, request: PageRequest): Promise<Page<WorkflowRun>> {
    const { data, next_page } = await this.list(`WorkflowId = ${quoted(workflowId)}`, request);
    const runs = await Promise.all(data.map((summary) => this.#run(summary)));
    return { data: runs, next_page };
  }

  async #run(summary: WorkflowSummary): Promise<WorkflowRun> {
    const run = { workflowId: summary.workflow_id, runId: summary.run_id };
    const event = await firstEvent(this.#calls, run);
    const started = event === undefined ? {} : protoJson('history.v1.HistoryEvent', event);
    const attributes = attributesOf(started);
    return {
      ...summary,
      type: 'workflow_run',
      first_run_id: textOf(attributes, 'firstExecutionRunId') || summary.first_run_id,
      continued_from: continuedFrom(started, summary.run_id),
      attempt: numberOf(attributes, 'attempt') || 1,
    };
  }

  async #countEach(query: string): Promise<WorkflowCount> {
    const total = await this.#countOne(query);
    const groups = await Promise.all(
      STATUSES.map(async (status) => {
        const condition = `ExecutionStatus = '${SERVER_STATUSES[status]}'`;
        const both = query === '' ? condition : `(${query}) AND ${condition}`;
        // A server that is older than a status does not know it.
        const found = await this.#countOne(both).catch((error: unknown) => {
          if (error instanceof InvalidRequestError) return 0;
          throw error;
        });
        return [status, found] as const;
      }),
    );
    return countOf(query, total, groups);
  }

  async #countOne(query: string): Promise<number> {
    const { namespace } = this.#calls;
    const { count } = await this.#calls.call('Workflows', (service) =>
      service.countWorkflowExecutions({ namespace, query }),
    );
    return Number(String(count ?? 0));
  }

  #tokenOf(page: string, query: string): Uint8Array {
    const place = decodePlace(page, ['query', 'token']);
    if (place.query !== query)
      throw new InvalidRequestError('page: Expected with the query of the page before');
    return textBytes(place.token);
  }
}

const SERVER_STATUSES: Readonly<Record<WorkflowStatus, string>> = {
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  canceled: 'Canceled',
  terminated: 'Terminated',
  continued_as_new: 'ContinuedAsNew',
  timed_out: 'TimedOut',
  paused: 'Paused',
};

/** A group's status stands in it as a payload of JSON. */
function statusOfGroup(group: Fields): WorkflowStatus | undefined {
  const [value] = (group['groupValues'] ?? []) as readonly Fields[];
  const text = Buffer.from(textOf(value ?? {}, 'data'), 'base64').toString();
  return STATUSES.find((status) => `"${SERVER_STATUSES[status]}"` === text);
}

function countOf(
  query: string,
  count: number,
  groups: readonly (readonly [WorkflowStatus | undefined, number])[],
): WorkflowCount {
  const known: Partial<Record<WorkflowStatus, number>> = {};
  for (const [status, found] of groups) if (status !== undefined && found > 0) known[status] = found;
  return { type: 'workflow_count', query, count, by_status: known };
}

function runOf(info: Fields): Run {
  const execution = fieldsOf(info, 'execution');
  return { workflowId: textOf(execution, 'workflowId'), runId: textOf(execution, 'runId') };
}

/** A text of the query language. */
const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
