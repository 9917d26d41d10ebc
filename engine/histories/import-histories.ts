import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import type { temporal } from '@temporalio/proto';
import { statusAfter } from '../embedded/imports/closing-event.ts';
import { History } from '../embedded/protocol/proto.ts';
import { timestampMs, toMs, toNumber } from '../embedded/protocol/values.ts';
import { type NamespaceRef, adoptEvents } from './adopt-events.ts';
import { batchesOf } from './history-batches.ts';
import { HistoryFileError, type HistoryIndex, readIndex } from './history-index.ts';
import type { OperatorConnection } from './operator-connection.ts';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

interface Import {
  readonly connection: OperatorConnection;
  readonly namespace: string;
  /** A folder that an export has written, or a file that `temporal workflow show --output json` has. */
  readonly path: string;
  /** Registers what runs carry where it is missing; false when that is not possible. */
  readonly ensureSearchAttributes: (types: HistoryIndex['searchAttributes']) => Promise<boolean>;
  /** Is told one sentence about each run that was not imported. */
  readonly report: (note: string) => void;
}

/** What became of the runs. */
export interface ImportTally {
  readonly imported: number;
  /** There before, so nothing was changed. */
  readonly known: number;
  /** Closed for longer than the namespace keeps runs: they would be removed at once. */
  readonly expired: number;
  readonly refused: number;
}

/** Of encoded events in one request, which may have 4 MiB. */
const PART_BYTES = 1024 * 1024;
/** `ENCODING_TYPE_PROTO3` */
const PROTO3 = 1;

/**
 * Makes runs of histories, in the order in which they began. Open ones go on in this service: they must not go on where
 * they come from.
 *
 * @throws HistoryFileError when `path` holds no histories
 */
export async function importHistories(options: Import): Promise<ImportTally> {
  const { connection, namespace, path, report } = options;
  const { from, sources, searchAttributes } = await sourcesOf(path);
  const described = await connection.workflowService.describeNamespace({ namespace });
  const to: NamespaceRef = {
    name: namespace,
    id: described.namespaceInfo?.id ?? '',
    failoverVersion: described.isGlobalNamespace ? toNumber(described.failoverVersion) : 0,
  };
  const retentionMs = toMs(described.config?.workflowExecutionRetentionTtl);
  const names = Object.keys(searchAttributes);
  if (names.length > 0 && !(await options.ensureSearchAttributes(searchAttributes)))
    report(`The search attributes ${names.join(', ')} cannot be registered in ${namespace}.`);
  const tally = { imported: 0, known: 0, expired: 0, refused: 0 };
  for (const source of sources) {
    const history = await readHistory(source);
    const { workflowId, runId } = history;
    const name = `${workflowId} (${runId})`;
    const closed = closeTimeOf(history.events);
    if (closed !== undefined && retentionMs > 0 && closed + retentionMs < Date.now()) {
      tally.expired += 1;
      continue;
    }
    try {
      if (await isThere(options, history)) {
        tally.known += 1;
        continue;
      }
      await send(options, history, adoptEvents(history.events, from ?? namespace, to));
      tally.imported += 1;
    } catch (error) {
      const { code, details } = error as { code?: unknown; details?: string };
      if (typeof code !== 'number') throw error;
      if (code === grpcUnimplemented || code === grpcPermissionDenied) throw noImports(namespace, error);
      tally.refused += 1;
      report(`${name} was refused: ${details ?? String(error)}`);
    }
  }
  if (tally.expired > 0) {
    report(
      `${tally.expired} closed runs are older than ${namespace} keeps them (${Math.round(retentionMs / 3_600_000)} h), so they ` +
        'would be removed at once. Raise its retention (temporal operator namespace update --retention) and import again.',
    );
  }
  return tally;
}

const grpcNotFound = 5;
const grpcPermissionDenied = 7;
const grpcUnimplemented = 12;

/** A caller may not import, or nobody may: Temporal Cloud has no such service. */
export class NoImportsError extends Error {
  override readonly name = 'NoImportsError';
}

function noImports(namespace: string, cause: unknown): NoImportsError {
  const { details } = cause as { details?: string };
  return new NoImportsError(
    `the service of ${namespace} takes no histories in (${details ?? String(cause)}): it has to be the embedded engine, called ` +
      'with its token, or a Temporal server that has clusterMetadata.enableGlobalNamespace in its configuration and whose ' +
      'admin service you may call',
    { cause },
  );
}

interface Sources {
  /** The namespace that the histories come from, where that is known. */
  readonly from?: string;
  readonly sources: readonly {
    readonly path: string;
    readonly workflowId?: string;
    readonly runId?: string;
  }[];
  readonly searchAttributes: HistoryIndex['searchAttributes'];
}

async function sourcesOf(path: string): Promise<Sources> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new HistoryFileError(`${path} is not there`);
  if (!found.isDirectory()) return { sources: [{ path }], searchAttributes: {} };
  const { namespace, runs, searchAttributes } = await readIndex(path);
  const sources = runs.map(({ file, workflowId, runId }) => ({ path: join(path, file), workflowId, runId }));
  return { from: namespace, sources, searchAttributes };
}

interface RunHistory {
  readonly workflowId: string;
  readonly runId: string;
  readonly events: readonly HistoryEvent[];
}

async function readHistory({ path, workflowId, runId }: Sources['sources'][number]): Promise<RunHistory> {
  let events: readonly HistoryEvent[];
  try {
    events = historyFromJSON(JSON.parse(await readFile(path, 'utf8'))).events ?? [];
  } catch (error) {
    const { message } = error as Error;
    throw new HistoryFileError(
      `${path} holds no history (${message}): expected what "temporal workflow show --output json" prints`,
      { cause: error },
    );
  }
  const started = events[0]?.workflowExecutionStartedEventAttributes;
  const ref = {
    workflowId: workflowId ?? started?.workflowId ?? '',
    runId: runId ?? started?.originalExecutionRunId ?? '',
  };
  if (ref.workflowId === '' || ref.runId === '')
    throw new HistoryFileError(`${path} does not begin with the start of a run that names itself`);
  return { ...ref, events };
}

/** In ms since the epoch; undefined of an open run. */
function closeTimeOf(events: readonly HistoryEvent[]): number | undefined {
  const last = events.at(-1) ?? {};
  return statusAfter(last) === undefined ? undefined : timestampMs(last.eventTime);
}

async function isThere(
  { connection, namespace }: Import,
  { workflowId, runId }: RunHistory,
): Promise<boolean> {
  try {
    const execution = { workflowId, runId };
    await connection.workflowService.describeWorkflowExecution({ namespace, execution });
    return true;
  } catch (error) {
    if ((error as { code?: number }).code === grpcNotFound) return false;
    throw error;
  }
}

async function send(
  { connection, namespace }: Import,
  { workflowId, runId }: RunHistory,
  events: readonly HistoryEvent[],
): Promise<void> {
  const last = events.at(-1);
  const request = {
    namespace,
    execution: { workflowId, runId },
    versionHistory: { items: [{ eventId: toNumber(last?.eventId), version: toNumber(last?.version) }] },
  };
  let token: Uint8Array = new Uint8Array();
  for (const historyBatches of partsOf(events)) {
    const answer = await connection.importPart({ ...request, historyBatches, token });
    token = answer.token ?? new Uint8Array();
  }
  await connection.importPart({ ...request, historyBatches: [], token });
}

type Blob = NonNullable<
  temporal.api.workflowservice.v1.IGetWorkflowExecutionHistoryResponse['rawHistory']
>[number];

/** Encodes the events, as many batches together as fit into a request. */
function* partsOf(events: readonly HistoryEvent[]): Generator<Blob[]> {
  let part: Blob[] = [];
  let bytes = 0;
  for (const batch of batchesOf(events)) {
    const data = History.encode({ events: batch }).finish();
    if (part.length > 0 && bytes + data.length > PART_BYTES) {
      yield part;
      part = [];
      bytes = 0;
    }
    part.push({ encodingType: PROTO3, data });
    bytes += data.length;
  }
  yield part;
}
