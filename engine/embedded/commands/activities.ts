import { dispatchActivityTask } from '../mutable-state/schedule-workflow-task.ts';
import { markStarted } from '../activity-tasks/start.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { badCommand, checkCommand, requireAttributes } from '../protocol/command-error.ts';
import { Priority, TaskQueueKind, toEncoded } from '../protocol/proto.ts';
import { duration, long, toNumber, jsonPayload } from '../protocol/values.ts';
import { normaliseRetryPolicy, toRetryPolicy } from '../runs/retry-policy.ts';
import { type CommandContext, type CommandHandler, appendCommandEvent } from './context.ts';
import { writeCanceled } from '../activity-tasks/finish.ts';
import { validActivity } from '../activity-tasks/validate.ts';

const CAUSE = 'BAD_SCHEDULE_ACTIVITY_ATTRIBUTES';
const CANCEL = 'BAD_REQUEST_CANCEL_ACTIVITY_ATTRIBUTES';

/** How many activities return with one answer at most; the worker reserves as many slots. */
const EAGER_LIMIT = 3;

export const scheduleActivityTask: CommandHandler = (context, command) => {
  const { state } = context;
  const attributes = requireAttributes(
    CAUSE,
    'ScheduleActivityTask',
    command.scheduleActivityTaskCommandAttributes,
  );
  const { activityId, activityType, taskQueue, timeouts } = checkCommand(CAUSE, () =>
    validActivity(attributes, state.record.runTimeoutMs),
  );
  if (state.pending.activityById(activityId)) {
    throw badCommand(
      'SCHEDULE_ACTIVITY_DUPLICATE_ID',
      `invalid history builder state for action: add-activitytask-scheduled-event, ActivityID: ${activityId}`,
    );
  }
  const retry = normaliseRetryPolicy(attributes.retryPolicy ?? {});
  const event = appendCommandEvent(context, command, {
    activityTaskScheduledEventAttributes: {
      activityId,
      activityType: { name: activityType },
      taskQueue: { name: taskQueue, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
      header: attributes.header ?? null,
      input: attributes.input ?? null,
      scheduleToCloseTimeout: duration(timeouts.scheduleToCloseMs),
      scheduleToStartTimeout: duration(timeouts.scheduleToStartMs),
      startToCloseTimeout: duration(timeouts.startToCloseMs),
      heartbeatTimeout: duration(timeouts.heartbeatMs),
      workflowTaskCompletedEventId: long(context.completedEventId),
      retryPolicy: toRetryPolicy(retry),
      useWorkflowBuildId: attributes.useWorkflowBuildId ?? false,
      priority: attributes.priority ?? null,
    },
  });
  const now = state.now();
  const activity: ActivityRecord = {
    scheduledEventId: toNumber(event.eventId),
    activityId,
    activityType,
    taskQueue,
    scheduledTime: now,
    ...timeouts,
    retry,
    ...(attributes.priority && { priority: toEncoded(Priority, attributes.priority) }),
    attempt: 1,
    attemptScheduledTime: now,
  };
  state.pending.activities.add(activity.scheduledEventId, activity);
  const isWanted = attributes.requestEagerExecution === true && !state.record.paused;
  const eager = isWanted && taskQueue === state.record.taskQueue;
  if (eager && context.eager.length < EAGER_LIMIT) context.eager.push(activity);
  else dispatchActivityTask(state, activity);
};

/** Starts the activities that return with the answer, after all commands, because a later one may cancel them. */
export function startEagerActivities(context: CommandContext): ActivityRecord[] {
  const { activities } = context.state.pending;
  const wanted = context.eager.flatMap(({ scheduledEventId }) => activities.edit(scheduledEventId) ?? []);
  for (const activity of wanted) markStarted(context.state, activity, context.identity);
  return wanted;
}

/** What the server gives as details of an activity that was canceled before any worker had it. */
const NOT_STARTED_DETAILS = { payloads: [jsonPayload('"ACTIVITY_ID_NOT_STARTED"')] };

export const requestCancelActivityTask: CommandHandler = (context, command) => {
  const { state } = context;
  const given = requireAttributes(
    CANCEL,
    'RequestCancelActivityTask',
    command.requestCancelActivityTaskCommandAttributes,
  );
  const scheduledEventId = toNumber(given.scheduledEventId);
  if (scheduledEventId <= 0) {
    throw badCommand(CANCEL, 'ScheduledEventId is not set on RequestCancelActivityTaskCommand.');
  }
  if (scheduledEventId >= state.record.nextEventId) {
    throw badCommand(
      CANCEL,
      `invalid history builder state for action: add-activitytask-cancel-requested-event, ScheduledEventID: ${scheduledEventId}`,
    );
  }
  const activity = state.pending.activities.edit(scheduledEventId);
  // The event is written also for an activity that is over, whose result may be buffered, or was canceled before.
  const event = appendCommandEvent(context, command, {
    activityTaskCancelRequestedEventAttributes: {
      scheduledEventId: long(scheduledEventId),
      workflowTaskCompletedEventId: long(context.completedEventId),
    },
  });
  if (!activity) return;
  activity.cancelRequestedEventId = toNumber(event.eventId);
  if (activity.startedTime !== undefined) return;
  writeCanceled(state, activity, { details: NOT_STARTED_DETAILS, identity: context.identity });
  context.needsWorkflowTask = true;
};
