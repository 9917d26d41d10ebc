import { type ReportedActivity, notToBeCanceled } from '../activity-tasks/reported-activity.ts';
import type { Clock } from '../primitives/clock.ts';
import type { ActivityState, StandaloneActivity } from './activity.ts';
import type { ActivityRegistry } from './activity-registry.ts';
import { cancelActivity, completeActivity, failAttempt, recordHeartbeat } from './attempts.ts';

/** An activity that belongs to no workflow, for those who report on it. */
export function standaloneActivity(
  activities: ActivityRegistry,
  activity: StandaloneActivity,
  now: Clock,
): ReportedActivity {
  const change = <T>(how: (state: ActivityState, time: number) => T): T =>
    activities.change(activity, ({ state }) => how(state, now()));
  return {
    complete: (report) => {
      change((state, time) => {
        completeActivity(state, report, time);
      });
    },
    fail: ({ heartbeatDetails, ...report }) => {
      change((state, time) => {
        if (heartbeatDetails) recordHeartbeat(state, heartbeatDetails, time);
        failAttempt(state, report, time);
      });
    },
    cancel: ({ details }) => {
      change((state, time) => {
        if (state.status !== 'CancelRequested') throw notToBeCanceled();
        cancelActivity(state, details, time);
      });
    },
    heartbeat: (details) =>
      change((state, time) => {
        recordHeartbeat(state, details, time);
        return {
          ...(state.status === 'CancelRequested' && { cancelRequested: true }),
          ...(state.status === 'ResetRequested' && { activityReset: true }),
          ...(state.status === 'PauseRequested' && { activityPaused: true }),
        };
      }),
  };
}
