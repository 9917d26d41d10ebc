import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { RunRecord } from '../mutable-state/record.ts';
import { jsonPayload } from '../protocol/values.ts';
import { Memo, SearchAttributes, fromEncodedOptional } from '../protocol/proto.ts';
import type { VisibilityRecord } from './visibility-record.ts';

type Fields = Record<string, temporal.api.common.v1.IPayload>;

/** Makes the record that ListWorkflowExecutions shows of a run. */
export function visibilityRecord(state: MutableState): VisibilityRecord {
  const { record, ref } = state;
  const { closeTime } = record;
  return {
    ...ref,
    workflowType: record.workflowType,
    status: record.status,
    startTime: nanos(record.startTime),
    executionTime: nanos(record.executionTime),
    ...(closeTime !== undefined && {
      closeTime: nanos(closeTime),
      historyLength: record.nextEventId - 1,
      historySizeBytes: record.historySizeBytes,
      stateTransitionCount: record.stateTransitions,
    }),
    taskQueue: record.taskQueue,
    memo: fromEncodedOptional(Memo, record.memo)?.fields ?? {},
    searchAttributes: visibleSearchAttributes(record),
    ...(record.parent && { parent: { workflowId: record.parent.workflowId, runId: record.parent.runId } }),
    root: record.root,
  };
}

/** Answers the run's own search attributes, and the build ids of the workers that had it. */
export function visibleSearchAttributes(record: RunRecord): Fields {
  const fields: Fields = { ...fromEncodedOptional(SearchAttributes, record.searchAttributes)?.indexedFields };
  if (record.lastBuildId !== undefined) {
    const values = ['unversioned', `unversioned:${record.lastBuildId}`];
    fields['BuildIds'] = jsonPayload(JSON.stringify(values), 'KeywordList');
  }
  return fields;
}

function nanos(ms: number): bigint {
  return BigInt(Math.round(ms * 1000)) * 1000n;
}
