import { writeCanceled } from '../activity/finish.ts';
import { WorkflowTaskFailedCause } from '../proto.ts';
import { long, toNumber } from '../proto-values.ts';
import { CommandError, type CommandHandler, appendCommandEvent } from './context.ts';

/** What the server gives as details of an activity that was cancelled before any worker had it. */
const NOT_STARTED_DETAILS = {
  payloads: [
    {
      metadata: { encoding: Buffer.from('json/plain') },
      data: Buffer.from('"ACTIVITY_ID_NOT_STARTED"'),
    },
  ],
};

export const requestCancelActivityTask: CommandHandler = (context, command) => {
  const { state } = context;
  const scheduledEventId = toNumber(command.requestCancelActivityTaskCommandAttributes?.scheduledEventId);
  if (scheduledEventId <= 0 || scheduledEventId >= state.record.nextEventId) {
    throw new CommandError(
      WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_BAD_REQUEST_CANCEL_ACTIVITY_ATTRIBUTES,
      `BadRequestCancelActivityAttributes: ScheduledEventId is not set on RequestCancelActivityTaskCommand.`,
    );
  }
  const activity = state.record.activities[scheduledEventId];
  // Over already (its result may be waiting behind this task), or asked before: the event is written all the same.
  const event = appendCommandEvent(context, command, {
    activityTaskCancelRequestedEventAttributes: {
      scheduledEventId: long(scheduledEventId),
      workflowTaskCompletedEventId: long(context.completedEventId),
    },
  });
  if (!activity) return;
  activity.cancelRequestedEventId = toNumber(event.eventId);
  if (activity.startedTime !== undefined) return;
  writeCanceled(state, activity, { details: NOT_STARTED_DETAILS, identity: '' });
  context.wake = true;
};
