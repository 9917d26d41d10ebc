import type { google, temporal } from '@temporalio/proto';
import { fromEncoded, Memo, SearchAttributes, toEncoded } from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import { type Attribute, IndexedValueType } from './attribute-types.ts';
import { decodeAttribute, encodeAttribute, int64, stringify, spacedWords } from './attribute-values.ts';
import type { Bound } from './query-compiler.ts';
import type { VisibilityRecord } from './visibility-record.ts';

type IPayload = temporal.api.common.v1.IPayload;
type IWorkflowExecutionInfo = temporal.api.workflow.v1.IWorkflowExecutionInfo;

/** A row as SQLite returns it; `visibility-schema.ts` says what the columns hold. */
export interface VisibilityRow {
  readonly namespace: string;
  readonly run_id: string;
  readonly workflow_id: string;
  readonly workflow_type: string;
  readonly status: number;
  readonly start_time: number;
  readonly execution_time: number;
  readonly close_time: number | null;
  readonly execution_duration: number | null;
  readonly history_length: number | null;
  readonly history_size_bytes: number | null;
  readonly state_transition_count: number | null;
  readonly task_queue: string;
  readonly parent_workflow_id: string | null;
  readonly parent_run_id: string | null;
  readonly root_workflow_id: string;
  readonly root_run_id: string;
  readonly attributes: string | null;
  readonly memo: string | null;
}

/** The columns in the order of `toRow`. */
export const columns = [
  'namespace',
  'run_id',
  'workflow_id',
  'workflow_type',
  'status',
  'start_time',
  'execution_time',
  'close_time',
  'execution_duration',
  'history_length',
  'history_size_bytes',
  'state_transition_count',
  'task_queue',
  'parent_workflow_id',
  'parent_run_id',
  'root_workflow_id',
  'root_run_id',
  'fields',
  'attributes',
  'memo',
] as const;

/** Finds the attribute that a name among a run's attributes means. */
type FindAttribute = (name: string) => Attribute | undefined;

/** Makes the values of `columns` for a record. Attributes whose name the namespace no longer has are left out. */
export function toRow(record: VisibilityRecord, find: FindAttribute): (Bound | null)[] {
  const closed = record.closeTime;
  const { fields, attributes } = index(record.searchAttributes, find);
  return [
    record.namespace,
    record.runId,
    record.workflowId,
    record.workflowType,
    record.status,
    record.startTime / 1000n,
    record.executionTime / 1000n,
    closed === undefined ? null : closed / 1000n,
    closed === undefined ? null : closed - record.executionTime,
    closed === undefined ? null : (record.historyLength ?? null),
    closed === undefined ? null : (record.historySizeBytes ?? null),
    closed === undefined ? null : (record.stateTransitionCount ?? null),
    record.taskQueue,
    record.parent?.workflowId ?? null,
    record.parent?.runId ?? null,
    record.root.workflowId,
    record.root.runId,
    fields,
    attributes,
    Object.keys(record.memo).length === 0 ? null : toEncoded(Memo, Memo.create({ fields: record.memo })),
  ];
}

/** Makes what a listing shows of a row. Attributes whose name the namespace no longer has are left out. */
export function toExecutionInfo(
  row: VisibilityRow,
  isKnown: (name: string) => boolean,
): IWorkflowExecutionInfo {
  const info: IWorkflowExecutionInfo = {
    execution: { workflowId: row.workflow_id, runId: row.run_id },
    type: { name: row.workflow_type },
    startTime: fromMicros(row.start_time),
    executionTime: fromMicros(row.execution_time),
    status: row.status,
    memo: row.memo === null ? {} : fromEncoded(Memo, row.memo),
    searchAttributes: row.attributes === null ? {} : { indexedFields: knownOf(row.attributes, isKnown) },
    taskQueue: row.task_queue,
    rootExecution: { workflowId: row.root_workflow_id, runId: row.root_run_id },
  };
  if (row.close_time !== null) info.closeTime = fromMicros(row.close_time);
  if (row.execution_duration !== null) info.executionDuration = fromNanos(row.execution_duration);
  if (row.history_length !== null) info.historyLength = long(row.history_length);
  if (row.history_size_bytes !== null) info.historySizeBytes = long(row.history_size_bytes);
  if (row.state_transition_count !== null) info.stateTransitionCount = long(row.state_transition_count);
  if (row.parent_workflow_id !== null) {
    info.parentExecution = { workflowId: row.parent_workflow_id, runId: row.parent_run_id ?? '' };
  }
  return info;
}

function index(
  payloads: Readonly<Record<string, IPayload>>,
  find: FindAttribute,
): { fields: string | null; attributes: string | null } {
  const document: string[] = [];
  const indexedFields: Record<string, IPayload> = {};
  for (const [name, payload] of Object.entries(payloads)) {
    const attribute = find(name);
    const value = attribute === undefined ? undefined : decodeAttribute(attribute, payload);
    if (attribute === undefined || value === undefined) continue;
    const field = attribute.field ?? attribute.name;
    const indexed = attribute.type === IndexedValueType.Text ? spacedWords(String(value)) : clamped(value);
    document.push(`${JSON.stringify(field)}:${stringify(indexed)}`);
    indexedFields[name] = encodeAttribute(attribute, value);
  }
  if (document.length === 0) return { fields: null, attributes: null };
  const attributes = toEncoded(SearchAttributes, SearchAttributes.create({ indexedFields }));
  return { fields: `{${document.join(',')}}`, attributes };
}

/** Times beyond those that an index can hold are searched as the first or the last of these. */
function clamped<T>(value: T): T | bigint {
  if (typeof value !== 'bigint') return value;
  if (value < int64.min) return int64.min;
  return value > int64.max ? int64.max : value;
}

function knownOf(attributes: string, isKnown: (name: string) => boolean): Record<string, IPayload> {
  const { indexedFields } = fromEncoded(SearchAttributes, attributes);
  return Object.fromEntries(Object.entries(indexedFields ?? {}).filter(([name]) => isKnown(name)));
}

function fromMicros(micros: number): google.protobuf.ITimestamp {
  const seconds = Math.floor(micros / 1e6);
  return { seconds: long(seconds), nanos: (micros - seconds * 1e6) * 1000 };
}

function fromNanos(nanos: number): google.protobuf.IDuration {
  const seconds = Math.floor(nanos / 1e9);
  return { seconds: long(seconds), nanos: nanos - seconds * 1e9 };
}
