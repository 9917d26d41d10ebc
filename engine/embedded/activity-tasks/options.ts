import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { Priority, TaskQueueKind, fromEncodedOptional, toEncoded } from '../protocol/proto.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { duration, toMs } from '../protocol/values.ts';
import { normaliseRetryPolicy, toRetryPolicy, validateRetryPolicy } from '../runs/retry-policy.ts';

type Options = temporal.api.activity.v1.IActivityOptions;

/** The timeouts of an activity in ms, with 0 for none. */
export type ActivityTimeouts = Pick<
  ActivityRecord,
  'scheduleToCloseMs' | 'scheduleToStartMs' | 'startToCloseMs' | 'heartbeatMs'
>;

/**
 * Derives missing timeouts from the others, and limits all to the run's timeout. Answers undefined where neither
 * schedule-to-close nor start-to-close is given.
 */
export function resolveActivityTimeouts(
  runTimeoutMs: number,
  given: ActivityTimeouts,
): ActivityTimeouts | undefined {
  const cap = (value: number): number => (runTimeoutMs > 0 ? Math.min(value, runTimeoutMs) : value);
  let { scheduleToCloseMs, scheduleToStartMs, startToCloseMs } = given;
  if (scheduleToCloseMs > 0) {
    scheduleToStartMs =
      scheduleToStartMs > 0 ? Math.min(scheduleToStartMs, scheduleToCloseMs) : scheduleToCloseMs;
    startToCloseMs = startToCloseMs > 0 ? Math.min(startToCloseMs, scheduleToCloseMs) : scheduleToCloseMs;
  } else if (startToCloseMs > 0) {
    scheduleToCloseMs = runTimeoutMs;
    if (scheduleToStartMs === 0) scheduleToStartMs = runTimeoutMs;
  } else {
    return undefined;
  }
  const heartbeatMs = startToCloseMs > 0 ? Math.min(given.heartbeatMs, startToCloseMs) : given.heartbeatMs;
  return {
    scheduleToCloseMs: cap(scheduleToCloseMs),
    scheduleToStartMs: cap(scheduleToStartMs),
    startToCloseMs: cap(startToCloseMs),
    heartbeatMs: cap(heartbeatMs),
  };
}

/** Answers the options of an activity as they are now. */
export function activityOptions(activity: ActivityRecord): Options {
  return {
    taskQueue: { name: activity.taskQueue, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
    scheduleToCloseTimeout: duration(activity.scheduleToCloseMs),
    scheduleToStartTimeout: duration(activity.scheduleToStartMs),
    startToCloseTimeout: duration(activity.startToCloseMs),
    heartbeatTimeout: duration(activity.heartbeatMs),
    retryPolicy: activity.retry ? toRetryPolicy(activity.retry) : null,
    priority: fromEncodedOptional(Priority, activity.priority),
  };
}

/** The fields that an update may name, which stand in a mask in either spelling. */
const FIELDS = [
  'scheduleToCloseTimeout',
  'scheduleToStartTimeout',
  'startToCloseTimeout',
  'heartbeatTimeout',
] as const;

/** Changes the options that the mask names, and leaves those that nobody knows, as the server does. */
export function changeOptions(
  state: MutableState,
  activity: ActivityRecord,
  wanted: Options,
  paths: readonly string[],
): void {
  const named = new Set(paths.map(camelCase));
  const next: Options = activityOptions(activity);
  for (const field of FIELDS) {
    if (!named.has(field)) continue;
    if (toMs(wanted[field]) < 0) {
      const name = field.charAt(0).toUpperCase() + field.slice(1);
      throw invalidArgument(`invalid ${name}: negative duration`);
    }
    next[field] = wanted[field] ?? null;
  }
  if (named.has('taskQueue') || named.has('taskQueue.name')) {
    if (!wanted.taskQueue?.name) throw invalidArgument('TaskQueue is not provided');
    next.taskQueue = wanted.taskQueue;
  }
  if (named.has('retryPolicy')) {
    if (!wanted.retryPolicy) throw invalidArgument('RetryPolicy is not provided');
    next.retryPolicy = wanted.retryPolicy;
  }
  const retryFields = [
    'initialInterval',
    'backoffCoefficient',
    'maximumInterval',
    'maximumAttempts',
  ] as const;
  for (const field of retryFields) {
    if (!named.has(`retryPolicy.${field}`)) continue;
    if (!wanted.retryPolicy) throw invalidArgument('RetryPolicy is not provided');
    next.retryPolicy = { ...next.retryPolicy, [field]: wanted.retryPolicy[field] };
  }
  if (named.has('priority')) next.priority = wanted.priority ?? null;
  setOptions(state, activity, next);
}

/** Gives an activity the options with which its workflow scheduled it. */
export function restoreOptions(state: MutableState, activity: ActivityRecord): void {
  const scheduled = state.event(activity.scheduledEventId).activityTaskScheduledEventAttributes;
  if (scheduled) setOptions(state, activity, scheduled);
}

function setOptions(state: MutableState, activity: ActivityRecord, options: Options): void {
  validateRetryPolicy(options.retryPolicy);
  const timeouts = resolveActivityTimeouts(state.record.runTimeoutMs, {
    scheduleToCloseMs: toMs(options.scheduleToCloseTimeout),
    scheduleToStartMs: toMs(options.scheduleToStartTimeout),
    startToCloseMs: toMs(options.startToCloseTimeout),
    heartbeatMs: toMs(options.heartbeatTimeout),
  });
  if (!timeouts) {
    throw invalidArgument(
      `a valid StartToCloseTimeout or ScheduleToCloseTimeout must be set on the activity. ActivityId=${activity.activityId} ActivityType=${activity.activityType}`,
    );
  }
  Object.assign(activity, timeouts);
  activity.taskQueue = options.taskQueue?.name || activity.taskQueue;
  activity.retry = normaliseRetryPolicy(options.retryPolicy ?? {});
  if (options.priority) activity.priority = toEncoded(Priority, options.priority);
  else delete activity.priority;
}

function camelCase(path: string): string {
  return path.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
