import { WorkflowExecutionStatus } from '../protocol/proto.ts';
import { jsonPayload } from '../protocol/values.ts';
import { type Attribute, IndexedValueType, isReserved } from '../visibility/attribute-types.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import type { QueryScope } from '../visibility/query-scope.ts';
import type { VisibilityRecord } from '../visibility/visibility-record.ts';
import { type Schedule, WORKFLOW_ID_PREFIX } from './schedule.ts';

const DIVISION = 'TemporalScheduler';
const PAUSED = 'TemporalSchedulePaused';

/** Makes the row by which a schedule is listed: that of the workflow which it is on the real server. */
export function scheduleVisibility({ ref, definition, state }: Schedule): VisibilityRecord {
  const { namespace, scheduleId, runId } = ref;
  const workflowId = `${WORKFLOW_ID_PREFIX}${scheduleId}`;
  const created = BigInt(Math.round(state.createTime * 1000)) * 1000n;
  return {
    namespace,
    workflowId,
    runId,
    workflowType: 'temporal-sys-scheduler-workflow',
    status: WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING,
    startTime: created,
    executionTime: created,
    taskQueue: 'temporal-sys-per-ns-tq',
    memo: definition.memo?.fields ?? {},
    searchAttributes: {
      ...definition.searchAttributes,
      TemporalNamespaceDivision: jsonPayload(JSON.stringify(DIVISION), 'Keyword'),
      [PAUSED]: jsonPayload(JSON.stringify(state.paused), 'Bool'),
    },
    root: { workflowId, runId },
  };
}

const scheduleId: Attribute = {
  name: 'ScheduleId',
  type: IndexedValueType.Keyword,
  column: `substr(workflow_id, ${WORKFLOW_ID_PREFIX.length + 1})`,
};

/** What queries of schedules may name: their id, whether they are paused, and custom attributes. */
export const SCHEDULE_SCOPE: QueryScope = {
  condition: `TemporalNamespaceDivision = '${DIVISION}' AND ExecutionStatus = 'Running'`,
  attributes: new Map([
    ['ScheduleId', scheduleId],
    ['TemporalScheduleId', { ...scheduleId, name: 'TemporalScheduleId' }],
  ]),
  admit: (name) => {
    if (!isReserved(name) || name === PAUSED) return;
    throw invalidArgument(`invalid query filter for schedules: cannot filter on "${name}"`);
  },
};
