import { writeCanceled } from '../activity-tasks/finish.ts';
import { badCommand } from '../protocol/command-error.ts';
import { jsonPayload, long, toNumber } from '../protocol/values.ts';
import { type CommandHandler, appendCommandEvent } from './context.ts';

/** What the server gives as details of an activity that was canceled before any worker had it. */
const NOT_STARTED_DETAILS = { payloads: [jsonPayload('"ACTIVITY_ID_NOT_STARTED"')] };

export const requestCancelActivityTask: CommandHandler = (context, command) => {
  const { state } = context;
  const scheduledEventId = toNumber(command.requestCancelActivityTaskCommandAttributes?.scheduledEventId);
  if (scheduledEventId <= 0 || scheduledEventId >= state.record.nextEventId) {
    throw badCommand(
      'BAD_REQUEST_CANCEL_ACTIVITY_ATTRIBUTES',
      `ScheduledEventId is not set on RequestCancelActivityTaskCommand.`,
    );
  }
  const activity = state.record.activities[scheduledEventId];
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
  writeCanceled(state, activity, { details: NOT_STARTED_DETAILS, identity: '' });
  context.needsWorkflowTask = true;
};
