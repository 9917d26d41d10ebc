/** What commands about other workflows must say, checked in the server's order and words. */
import type { temporal } from '@temporalio/proto';
import { firstCronWaitMs } from '../cron/next-run.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { isUuid } from '../primitives/ids.ts';
import { badCommand, checkCommand, requireShort } from '../protocol/command-error.ts';
import { validMs } from '../protocol/durations.ts';
import { checkPriority } from '../protocol/priority.ts';
import { validTaskQueue } from '../protocol/task-queue-name.ts';
import { validateRetryPolicy } from '../runs/retry-policy.ts';

type Child = temporal.api.command.v1.IStartChildWorkflowExecutionCommandAttributes;
type Signal = temporal.api.command.v1.ISignalExternalWorkflowExecutionCommandAttributes;
type Cancellation = temporal.api.command.v1.IRequestCancelExternalWorkflowExecutionCommandAttributes;

export const CHILD = 'BAD_START_CHILD_EXECUTION_ATTRIBUTES';
export const SIGNAL = 'BAD_SIGNAL_WORKFLOW_EXECUTION_ATTRIBUTES';
export const CANCEL = 'BAD_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_ATTRIBUTES';

const CHILD_TIMEOUTS = ['WorkflowExecutionTimeout', 'WorkflowRunTimeout', 'WorkflowTaskTimeout'] as const;

interface ValidChild {
  readonly workflowId: string;
  readonly workflowType: string;
  readonly taskQueue: string;
  readonly cronSchedule: string;
}

export function validChild(state: MutableState, attributes: Child, namespace: string): ValidChild {
  const command = 'StartChildWorkflowExecution';
  const workflowId = attributes.workflowId ?? '';
  const workflowType = attributes.workflowType?.name ?? '';
  if (workflowId === '') {
    throw badCommand(
      CHILD,
      `Required field WorkflowId is not set on ${command}Command. WorkflowType=${workflowType} Namespace=${namespace}`,
    );
  }
  if (workflowType === '') {
    throw badCommand(
      CHILD,
      `Required field WorkflowType is not set on ${command}Command. WorkflowId=${workflowId} Namespace=${namespace}`,
    );
  }
  const where = `WorkflowId=${workflowId} WorkflowType=${workflowType} Namespace=${namespace}`;
  requireShort(CHILD, 'WorkflowId', command, workflowId, {
    after: ` WorkflowType=${workflowType} Namespace=${namespace}`,
  });
  requireShort(CHILD, 'WorkflowType', command, workflowType, {
    before: `WorkflowId=${workflowId} `,
    after: ` Namespace=${namespace}`,
  });
  for (const field of CHILD_TIMEOUTS) {
    const given =
      attributes[`${field.charAt(0).toLowerCase()}${field.slice(1)}` as Uncapitalize<typeof field>];
    checkCommand(CHILD, () =>
      validMs(given, (problem) => `Invalid ${field} on ${command}Command: ${problem}. ${where}`),
    );
  }
  const check = <T>(what: string, of: () => T, end = ''): T =>
    checkCommand(CHILD, of, (problem) => `invalid ${what} on ${command}Command: ${problem}. ${where}${end}`);
  check('WorkflowRetryPolicy', () => validateRetryPolicy(attributes.retryPolicy));
  const cronSchedule = attributes.cronSchedule ?? '';
  check('CronSchedule', () => cronSchedule && firstCronWaitMs(cronSchedule, state.now()));
  checkCommand(CHILD, () => checkPriority(attributes.priority));
  const name = attributes.taskQueue?.name || state.record.taskQueue;
  const taskQueue = check(
    'TaskQueue',
    () => validTaskQueue({ name }),
    ` TaskQueue=name:"${name}"  kind:TASK_QUEUE_KIND_NORMAL`,
  );
  return { workflowId, workflowType, taskQueue, cronSchedule };
}

interface Target {
  readonly workflowId: string;
  readonly runId: string;
}

export function validSignal({ execution, namespace: given, signalName }: Signal): Target {
  const command = 'SignalExternalWorkflowExecution';
  if (!execution) throw badCommand(SIGNAL, `Execution is not set on ${command}Command.`);
  const { workflowId, runId } = { workflowId: execution.workflowId ?? '', runId: execution.runId ?? '' };
  const [namespace, name] = [given ?? '', signalName ?? ''];
  if (workflowId === '') {
    throw badCommand(
      SIGNAL,
      `WorkflowId is not set on ${command}Command. Namespace=${namespace} RunId=${runId} SignalName=${name}`,
    );
  }
  const rest = ` Namespace=${namespace} RunId=${runId} SignalName=${name}`;
  requireShort(SIGNAL, 'WorkflowId', command, workflowId, { after: rest });
  if (runId !== '' && !isUuid(runId)) {
    throw badCommand(
      SIGNAL,
      `Invalid RunId set on ${command}Command. WorkflowId=${workflowId} Namespace=${namespace} RunId=${runId} SignalName=${name}`,
    );
  }
  if (name === '') {
    throw badCommand(
      SIGNAL,
      `SignalName is not set on ${command}Command. WorkflowId=${workflowId} Namespace=${namespace} RunId=${runId}`,
    );
  }
  return { workflowId, runId };
}

export function validCancellation(attributes: Cancellation): Target {
  const command = 'RequestCancelExternalWorkflowExecution';
  const workflowId = attributes.workflowId ?? '';
  const runId = attributes.runId ?? '';
  const namespace = attributes.namespace ?? '';
  if (workflowId === '') {
    throw badCommand(
      CANCEL,
      `WorkflowId is not set on ${command}Command. Namespace=${namespace} RunId=${runId}`,
    );
  }
  requireShort(CANCEL, 'WorkflowId', command, workflowId, {
    after: ` RunId=${runId} Namespace=${namespace}`,
  });
  if (runId !== '' && !isUuid(runId)) {
    throw badCommand(
      CANCEL,
      `Invalid RunId set on ${command}Command. WorkflowId=${workflowId} RunId=${runId} Namespace=${namespace}`,
    );
  }
  return { workflowId, runId };
}
