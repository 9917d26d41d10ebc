import type { Capabilities } from '../acting/capabilities.ts';
import type { AttributeType, WorkflowNamespace } from '../shapes/namespace.ts';
import { type Fields, fieldsOf, maybeMs, maybeText } from '../wire/fields.ts';
import { protoJson } from '../wire/proto-json.ts';
import type { TemporalCalls } from '../wire/service.ts';

const TYPES: Readonly<Record<string, AttributeType>> = {
  INDEXED_VALUE_TYPE_TEXT: 'Text',
  INDEXED_VALUE_TYPE_KEYWORD: 'Keyword',
  INDEXED_VALUE_TYPE_INT: 'Int',
  INDEXED_VALUE_TYPE_DOUBLE: 'Double',
  INDEXED_VALUE_TYPE_BOOL: 'Bool',
  INDEXED_VALUE_TYPE_DATETIME: 'Datetime',
  INDEXED_VALUE_TYPE_KEYWORD_LIST: 'KeywordList',
};

/** What every server has; where it does not tell which attributes there are, these are known. */
const SYSTEM: Readonly<Record<string, AttributeType>> = {
  CloseTime: 'Datetime',
  ExecutionDuration: 'Int',
  ExecutionStatus: 'Keyword',
  ExecutionTime: 'Datetime',
  HistoryLength: 'Int',
  HistorySizeBytes: 'Int',
  ParentRunId: 'Keyword',
  ParentWorkflowId: 'Keyword',
  RootRunId: 'Keyword',
  RootWorkflowId: 'Keyword',
  RunId: 'Keyword',
  StartTime: 'Datetime',
  StateTransitionCount: 'Int',
  TaskQueue: 'Keyword',
  WorkflowId: 'Keyword',
  WorkflowType: 'Keyword',
};

type Attributes = WorkflowNamespace['search_attributes'];

/** The namespace, and what its server can do. */
export async function namespaceOf(
  calls: TemporalCalls,
  capabilities: Capabilities,
): Promise<
  Pick<WorkflowNamespace, 'name' | 'server_version' | 'retention_ms' | 'search_attributes' | 'capabilities'>
> {
  const { namespace: name } = calls;
  const [described, system, attributes, reset, batch] = await Promise.all([
    // A cluster may allow work in a namespace and not its description.
    calls.raw((service) => service.describeNamespace({ namespace: name })).catch(() => undefined),
    calls.call('The server', (service) => service.getSystemInfo({})),
    attributesOf(calls),
    capabilities.reset(),
    capabilities.batch(),
  ]);
  const json = described && protoJson('workflowservice.v1.DescribeNamespaceResponse', described);
  const groups = system.capabilities?.countGroupByExecutionStatus ?? false;
  return {
    name,
    server_version: system.serverVersion || null,
    retention_ms: json ? maybeMs(fieldsOf(json, 'config'), 'workflowExecutionRetentionTtl') : null,
    search_attributes: attributes,
    capabilities: {
      count_by_status: {
        available: true,
        reason: groups ? null : 'The server does not group: this one asks it for each status.',
      },
      reset: { ...reset },
      batch: { ...batch },
    },
  };
}

async function attributesOf(calls: TemporalCalls): Promise<Attributes> {
  const { namespace } = calls;
  const found = await calls
    .operator((service) => service.listSearchAttributes({ namespace }))
    .catch(() => undefined);
  if (found === undefined)
    return Object.entries(SYSTEM).map(([name, type]) => ({ name, type, system: true }));
  const json = protoJson('operatorservice.v1.ListSearchAttributesResponse', found);
  return [
    ...named(fieldsOf(json, 'customAttributes'), false),
    ...named({ ...fieldsOf(json, 'systemAttributes') }, true),
  ];
}

function named(types: Fields, system: boolean): Attributes {
  return Object.keys(types)
    .toSorted()
    .flatMap((name) => {
      const type = TYPES[maybeText(types, name) ?? ''];
      return type === undefined ? [] : [{ name, type, system }];
    });
}
