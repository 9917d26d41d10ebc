import type { temporal } from '@temporalio/proto';
import { ScheduleMessage, Memo, TaskQueueKind, WorkflowIdReusePolicy } from '../protocol/proto.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { duration } from '../protocol/values.ts';
import { LONGEST_ID, bytesOf, isTooLong } from '../protocol/id-length.ts';
import { validTaskQueue } from '../protocol/task-queue-name.ts';
import { validTimeout, type StartValidation } from '../runs/start-request.ts';
import { mergeSearchAttributes } from '../visibility/search-attribute-registry.ts';
import { catchupWindow } from './due-times.ts';
import type { ScheduleDefinition } from './schedule.ts';
import { canonicalSpec } from './spec/canonical.ts';
import { CompiledSpec } from './spec/compiled-spec.ts';
import { SpecError } from './spec/spec-error.ts';
import { ScheduleOverlapPolicy } from '../protocol/proto.ts';

type ISchedule = temporal.api.schedule.v1.ISchedule;
type Action = temporal.api.workflow.v1.INewWorkflowExecutionInfo;
type IPayload = temporal.api.common.v1.IPayload;

/** What is appended to the ids of runs, for the check of their length. */
const SUFFIX = '-2009-11-10T23:00:00Z';

/**
 * Checks a schedule as the server's frontend does, with its texts, and puts it into the form in which it is kept:
 * canonical spec, and policies with their defaults.
 */
export function validSchedule(
  services: StartValidation,
  namespace: string,
  given: ISchedule | null | undefined,
): Pick<ScheduleDefinition, 'schedule' | 'spec'> {
  const { spec: canonical, compiled } = validSpec(given?.spec ?? {});
  const action = given?.action?.startWorkflow;
  const { overlapPolicy, ...policies } = given?.policies ?? {};
  const schedule: ISchedule = {
    spec: canonical,
    action: action ? { startWorkflow: validAction(services, namespace, action) } : {},
    policies: {
      ...policies,
      overlapPolicy: overlapPolicy || ScheduleOverlapPolicy.SCHEDULE_OVERLAP_POLICY_SKIP,
    },
  };
  if (ScheduleMessage.encode(schedule).finish().length > services.limits.blobBytes) {
    throw invalidArgument('Blob data size exceeds limit.');
  }
  const window = duration(
    catchupWindow({ definition: { schedule, spec: compiled, memo: null, searchAttributes: {} } }),
  );
  return {
    schedule: { ...schedule, policies: { ...schedule.policies, catchupWindow: window } },
    spec: compiled,
  };
}

function validSpec(given: temporal.api.schedule.v1.IScheduleSpec): {
  spec: temporal.api.schedule.v1.IScheduleSpec;
  compiled: CompiledSpec;
} {
  try {
    const spec = canonicalSpec(given);
    return { spec, compiled: new CompiledSpec(spec) };
  } catch (error) {
    if (error instanceof SpecError) throw invalidArgument(`Invalid schedule spec: ${error.message}`);
    throw error;
  }
}

function validAction(services: StartValidation, namespace: string, action: Action): Action {
  const length = bytesOf(`${action.workflowId ?? ''}${SUFFIX}`);
  if (length > LONGEST_ID) {
    throw invalidArgument(`WorkflowId exceeds maximum allowed length (${length}/${LONGEST_ID})`);
  }
  const type = action.workflowType?.name ?? '';
  if (type === '') throw invalidArgument('WorkflowType is not set on request.');
  if (isTooLong(type)) throw invalidArgument('WorkflowType length exceeds limit.');
  const name = validTaskQueue(action.taskQueue);
  validTimeout(action.workflowExecutionTimeout, 'WorkflowExecutionTimeoutSeconds');
  validTimeout(action.workflowRunTimeout, 'WorkflowRunTimeoutSeconds');
  validTimeout(action.workflowTaskTimeout, 'WorkflowTaskTimeoutSeconds');
  if (action.cronSchedule) throw invalidArgument('Scheduled workflow must not contain CronSchedule');
  const reuse = action.workflowIdReusePolicy ?? 0;
  if (reuse !== 0 && reuse !== WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE) {
    throw invalidArgument('Scheduled workflow must not contain WorkflowIDReusePolicy');
  }
  const fields = action.searchAttributes?.indexedFields;
  return {
    ...action,
    taskQueue: { ...action.taskQueue, name, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
    ...(fields && {
      searchAttributes: { indexedFields: services.searchAttributes.validate(namespace, fields) },
    }),
  };
}

/** Checks the search attributes of a schedule itself; payloads that mean "none" are left out. */
export function validAttributes(
  { searchAttributes }: StartValidation,
  namespace: string,
  given: temporal.api.common.v1.ISearchAttributes | null | undefined,
): Record<string, IPayload> {
  return mergeSearchAttributes({}, searchAttributes.validate(namespace, given?.indexedFields ?? {}));
}

export function validMemo(
  { limits }: StartValidation,
  memo: temporal.api.common.v1.IMemo | null | undefined,
): temporal.api.common.v1.IMemo | null {
  if (!memo || Object.keys(memo.fields ?? {}).length === 0) return null;
  if (Memo.encode(memo).finish().length > limits.memoBytes) throw invalidArgument('Memo size exceeds limit.');
  return memo;
}
