import type { temporal } from '@temporalio/proto';
import { validMs } from '../protocol/durations.ts';
import { LONGEST_ID, bytesOf, isTooLong } from '../protocol/id-length.ts';
import { checkPriority } from '../protocol/priority.ts';
import { RpcError, invalidArgument } from '../protocol/rpc-error.ts';
import { validTaskQueue } from '../protocol/task-queue-name.ts';
import { validateRetryPolicy } from '../runs/retry-policy.ts';
import { type ActivityTimeouts, resolveActivityTimeouts } from './options.ts';

type Attributes = temporal.api.command.v1.IScheduleActivityTaskCommandAttributes;

interface ValidActivity {
  readonly activityId: string;
  readonly activityType: string;
  readonly taskQueue: string;
  readonly timeouts: ActivityTimeouts;
}

/** Checks the activity that a workflow schedules, in the server's order and words, and derives the timeouts that are missing. */
export function validActivity(attributes: Attributes, runTimeoutMs: number): ValidActivity {
  const taskQueue = validTaskQueue(attributes.taskQueue);
  const activityId = attributes.activityId ?? '';
  const activityType = attributes.activityType?.name ?? '';
  const { retryPolicy, priority } = attributes;
  checkActivity({ activityId, activityType, retryPolicy, priority });
  const timeouts = resolveActivityTimeouts(runTimeoutMs, {
    scheduleToCloseMs: timeoutMs(attributes, 'scheduleToCloseTimeout'),
    scheduleToStartMs: timeoutMs(attributes, 'scheduleToStartTimeout'),
    startToCloseMs: timeoutMs(attributes, 'startToCloseTimeout'),
    heartbeatMs: timeoutMs(attributes, 'heartbeatTimeout'),
  });
  if (timeouts) return { activityId, activityType, taskQueue, timeouts };
  throw invalidArgument(
    `a valid StartToCloseTimeout or ScheduleToCloseTimeout must be set on the activity. ActivityId=${activityId} ActivityType=${activityType}`,
  );
}

/** Checks the parts of an activity that do not depend on where it belongs. */
export function checkActivity({
  activityId,
  activityType,
  retryPolicy,
  priority,
}: {
  readonly activityId: string;
  readonly activityType: string;
  readonly retryPolicy: Attributes['retryPolicy'];
  readonly priority: Attributes['priority'];
}): void {
  if (activityId === '') throw invalidArgument('activityId is not set');
  if (activityType === '') throw invalidArgument('activityType is not set');
  validateRetryPolicy(retryPolicy);
  checkLength('activityId', activityId);
  checkLength('activityType', activityType);
  checkActivityPriority(priority);
}

function checkLength(name: string, value: string): void {
  if (!isTooLong(value)) return;
  throw invalidArgument(`${name} exceeds length limit. Length=${bytesOf(value)} Limit=${LONGEST_ID}`);
}

function checkActivityPriority(priority: Attributes['priority']): void {
  try {
    checkPriority(priority);
  } catch (error) {
    throw error instanceof RpcError ? invalidArgument(`invalid priorities: ${error.message}`) : error;
  }
}

type Timeout =
  | 'scheduleToCloseTimeout'
  | 'scheduleToStartTimeout'
  | 'startToCloseTimeout'
  | 'heartbeatTimeout';

/** Answers a timeout in ms; throws for one that cannot be used. */
export function timeoutMs(attributes: Pick<Attributes, Timeout>, name: Timeout): number {
  const field = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return validMs(attributes[name], (problem) => `invalid ${field}: ${problem}`);
}
