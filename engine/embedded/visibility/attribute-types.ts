/** The types by which search attributes are indexed, with the numbers of `temporal.api.enums.v1.IndexedValueType`. */
export const IndexedValueType = {
  Text: 1,
  Keyword: 2,
  Int: 3,
  Double: 4,
  Bool: 5,
  Datetime: 6,
  KeywordList: 7,
} as const;
type IndexedValueTypeName = keyof typeof IndexedValueType;
export type IndexedValueType = (typeof IndexedValueType)[IndexedValueTypeName];

const names = Object.fromEntries(
  Object.entries(IndexedValueType).map(([name, type]) => [type, name]),
) as Record<IndexedValueType, IndexedValueTypeName>;

/** Answers the name that a payload's `type` metadata and error texts use. */
export function typeName(type: IndexedValueType): IndexedValueTypeName {
  return names[type];
}

export function isIndexedValueType(value: number): value is IndexedValueType {
  return value in names;
}

/** How many custom attributes of a type a namespace may have. These are the real server's defaults. */
export const customSlots: Record<IndexedValueType, number> = { 1: 3, 2: 10, 3: 3, 4: 3, 5: 3, 6: 3, 7: 3 };

/**
 * A searchable name and where its values are: a column of the table, or a field of the row's JSON document (under the
 * name itself unless `field` says otherwise).
 */
export interface Attribute {
  readonly name: string;
  readonly type: IndexedValueType;
  readonly column?: string;
  /** The field that a custom name stands for, such as Keyword01 or Int03. */
  readonly field?: string;
  /** Whether a status may be compared with any text, and not with statuses alone. */
  readonly isFreeText?: boolean;
}

/** The attributes that the server itself sets. Every one is a column. */
export const systemAttributes: ReadonlyMap<string, Attribute> = index([
  ['WorkflowId', IndexedValueType.Keyword, 'workflow_id'],
  ['RunId', IndexedValueType.Keyword, 'run_id'],
  ['WorkflowType', IndexedValueType.Keyword, 'workflow_type'],
  ['ExecutionStatus', IndexedValueType.Keyword, 'status'],
  ['StartTime', IndexedValueType.Datetime, 'start_time'],
  ['ExecutionTime', IndexedValueType.Datetime, 'execution_time'],
  ['CloseTime', IndexedValueType.Datetime, 'close_time'],
  ['ExecutionDuration', IndexedValueType.Int, 'execution_duration'],
  ['HistoryLength', IndexedValueType.Int, 'history_length'],
  ['HistorySizeBytes', IndexedValueType.Int, 'history_size_bytes'],
  ['StateTransitionCount', IndexedValueType.Int, 'state_transition_count'],
  ['TaskQueue', IndexedValueType.Keyword, 'task_queue'],
  ['ParentWorkflowId', IndexedValueType.Keyword, 'parent_workflow_id'],
  ['ParentRunId', IndexedValueType.Keyword, 'parent_run_id'],
  ['RootWorkflowId', IndexedValueType.Keyword, 'root_workflow_id'],
  ['RootRunId', IndexedValueType.Keyword, 'root_run_id'],
]);

/** Attributes that every namespace has and that callers (or the server on their behalf) may set. */
export const predefinedAttributes: ReadonlyMap<string, Attribute> = index([
  ['BatcherNamespace', IndexedValueType.Keyword],
  ['BatcherUser', IndexedValueType.Keyword],
  ['BinaryChecksums', IndexedValueType.KeywordList],
  ['BuildIds', IndexedValueType.KeywordList],
  ['TemporalChangeVersion', IndexedValueType.KeywordList],
  ['TemporalExternalPayloadCount', IndexedValueType.Int],
  ['TemporalExternalPayloadSizeBytes', IndexedValueType.Int],
  ['TemporalNamespaceDivision', IndexedValueType.Keyword],
  ['TemporalPauseInfo', IndexedValueType.KeywordList],
  ['TemporalReportedProblems', IndexedValueType.KeywordList],
  ['TemporalScheduledById', IndexedValueType.Keyword],
  ['TemporalScheduledStartTime', IndexedValueType.Datetime],
  ['TemporalSchedulePaused', IndexedValueType.Bool],
  ['TemporalUsedWorkerDeploymentVersions', IndexedValueType.KeywordList],
  ['TemporalWorkerDeployment', IndexedValueType.Keyword],
  ['TemporalWorkerDeploymentVersion', IndexedValueType.Keyword],
  ['TemporalWorkflowVersioningBehavior', IndexedValueType.Keyword],
]);

function index(rows: [string, IndexedValueType, string?][]): ReadonlyMap<string, Attribute> {
  return new Map(
    rows.map(([name, type, column]) => [
      name,
      column === undefined ? { name, type } : { name, type, column },
    ]),
  );
}

/** Lists the fields of custom attributes of a type in the order in which they are assigned: Keyword01, Keyword02, .. */
export function customFields(type: IndexedValueType): string[] {
  return Array.from(
    { length: customSlots[type] },
    (_, i) => `${typeName(type)}${String(i + 1).padStart(2, '0')}`,
  );
}

/** Whether callers cannot use the name for a custom attribute. */
export function isReserved(name: string): boolean {
  return systemAttributes.has(name) || predefinedAttributes.has(name) || name.startsWith('Temporal');
}

/** The fields that custom attributes can occupy, as attributes of their own: queries may name them too. */
export const rawFields: ReadonlyMap<string, Attribute> = index(
  Object.values(IndexedValueType).flatMap((type) =>
    customFields(type).map((field): [string, IndexedValueType] => [field, type]),
  ),
);
