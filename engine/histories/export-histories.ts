import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { Connection } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import { WorkflowExecutionStatus } from '../embedded/protocol/proto.ts';
import { timestampMs, toNumber } from '../embedded/protocol/values.ts';
import { IndexedValueType } from '../embedded/visibility/attribute-types.ts';
import type { SearchAttributeType } from '../search-attributes.ts';
import { HistoryFileError, INDEX_FILE, type IndexedRun, writeIndex } from './history-index.ts';
import { writeWhole } from '../whole-file.ts';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;
type Info = temporal.api.workflow.v1.IWorkflowExecutionInfo;

interface Export {
  readonly connection: Connection;
  readonly namespace: string;
  /** Is made when missing, and has to be empty otherwise, but for what `replace` allows. */
  readonly folder: string;
  /** Whether an earlier export in the folder, whole or not, gives way to this one. Default false. */
  readonly replace?: boolean;
  /** Which runs, in the server's query language. Default all. */
  readonly query?: string;
  /** Is told one sentence about each run that needs attention. */
  readonly report: (note: string) => void;
}

const PAGE = 200;
/** The names that an export writes. */
const WRITTEN = /^(?:index|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.json(?:\.draft)?$/;

/**
 * Writes the histories of runs as `temporal workflow show --output json` prints them, a file each, and an index of them.
 * It only reads, and does so by the API that every Temporal service has.
 *
 * @throws HistoryFileError when the folder has other files
 */
export async function exportHistories(options: Export): Promise<readonly IndexedRun[]> {
  const { connection, namespace, folder } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await clear(folder, options.replace === true);
  const { serverVersion } = await connection.workflowService.getSystemInfo({});
  const runs: IndexedRun[] = [];
  for await (const info of listed(options)) {
    const run = await exportRun(options, info);
    if (run !== undefined) runs.push(run);
  }
  runs.sort((a, b) => (a.startTime < b.startTime ? -1 : 1));
  await writeIndex(folder, {
    namespace,
    serverVersion: serverVersion ?? '',
    exportedAt: new Date().toISOString(),
    searchAttributes: await customAttributes(options),
    runs,
  });
  return runs;
}

async function clear(folder: string, replace: boolean): Promise<void> {
  const names = await readdir(folder);
  if (!names.every((name) => replace && WRITTEN.test(name)))
    throw new HistoryFileError(`${folder} is not empty: name a folder that is empty, or a new one`);
  for (const name of names) await rm(join(folder, name));
}

async function* listed({ connection, namespace, query = '' }: Export): AsyncGenerator<Info> {
  let nextPageToken: Uint8Array | null | undefined;
  do {
    const page = await connection.workflowService.listWorkflowExecutions({
      namespace,
      query,
      pageSize: PAGE,
      ...(nextPageToken && { nextPageToken }),
    });
    yield* page.executions;
    ({ nextPageToken } = page);
  } while (nextPageToken?.length);
}

async function exportRun(options: Export, info: Info): Promise<IndexedRun | undefined> {
  const { workflowId, runId } = info.execution ?? {};
  if (!workflowId || !runId) return undefined;
  const ref = { workflowId, runId };
  const events = await readEvents(options, ref);
  if (events === undefined) {
    options.report(`${workflowId} (${runId}) was removed meanwhile and is left out.`);
    return undefined;
  }
  // The listing may be older than the history.
  const { status, closeTime } = await stateOf(options, ref);
  const file = `${runId}.json`;
  await writeWhole(join(options.folder, file), `${historyToJSON({ events })}\n`);
  return {
    file,
    ...ref,
    type: info.type?.name ?? '',
    taskQueue: info.taskQueue ?? '',
    status,
    startTime: iso(info.startTime) ?? '',
    closeTime,
    events: events.length,
  };
}

interface Execution {
  readonly workflowId: string;
  readonly runId: string;
}

async function readEvents(
  { connection, namespace }: Export,
  execution: Execution,
): Promise<HistoryEvent[] | undefined> {
  const events: HistoryEvent[] = [];
  let nextPageToken: Uint8Array | null | undefined;
  try {
    do {
      const page = await connection.workflowService.getWorkflowExecutionHistory({
        namespace,
        execution,
        ...(nextPageToken && { nextPageToken }),
      });
      events.push(...(page.history?.events ?? []));
      ({ nextPageToken } = page);
    } while (nextPageToken?.length);
  } catch (error) {
    if ((error as { code?: number }).code === grpcNotFound) return undefined;
    throw error;
  }
  return events;
}

const grpcNotFound = 5;

async function stateOf(
  { connection, namespace, report }: Export,
  execution: Execution,
): Promise<{ status: string; closeTime: string | null }> {
  const described = await connection.workflowService.describeWorkflowExecution({ namespace, execution });
  const { status, closeTime } = described.workflowExecutionInfo ?? {};
  const name = WorkflowExecutionStatus[status ?? 0] ?? '';
  const { startedTime } = described.pendingWorkflowTask ?? {};
  if (startedTime && toNumber(startedTime.seconds) > 0) {
    report(
      `${execution.workflowId} (${execution.runId}): a worker has its workflow task, so what came meanwhile may not be in its ` +
        'history yet. Stop the workers and export again.',
    );
  }
  return { status: name.replace('WORKFLOW_EXECUTION_STATUS_', ''), closeTime: iso(closeTime) ?? null };
}

function iso(time: Info['startTime']): string | undefined {
  const ms = timestampMs(time);
  return ms === undefined || ms <= 0 ? undefined : new Date(ms).toISOString();
}

const TYPES = new Map(
  Object.entries(IndexedValueType).map(([name, type]) => [type as number, name as SearchAttributeType]),
);

async function customAttributes({
  connection,
  namespace,
  report,
}: Export): Promise<Record<string, SearchAttributeType>> {
  try {
    const { customAttributes: known } = await connection.operatorService.listSearchAttributes({ namespace });
    return Object.fromEntries(
      Object.entries(known).flatMap(([name, type]) => {
        const typeName = TYPES.get(type);
        return typeName === undefined ? [] : [[name, typeName]];
      }),
    );
  } catch (error) {
    report(
      `The search attributes of ${namespace} cannot be read (${String(error)}), so register them before an import into ` +
        `another service; ${INDEX_FILE} has none.`,
    );
    return {};
  }
}
