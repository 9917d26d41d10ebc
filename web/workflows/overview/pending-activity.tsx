import type { ReactElement } from 'react';
import { Badge } from '../../parts/badge.tsx';
import { formatName } from '../../parts/format.ts';
import { When } from '../../parts/when.tsx';
import type { Workflow } from '../actions/action-name.ts';
import { FailureView } from '../failure-view.tsx';
import { PayloadList } from '../payloads/payload-view.tsx';

type Activity = Workflow['pending_activities'][number];

/** An activity under way: which attempt, when the next one comes, and how the last one failed. */
export function PendingActivity({ activity }: { readonly activity: Activity }): ReactElement {
  const { activity_type, activity_id, attempt, maximum_attempts, state, last_failure, heartbeat_details } =
    activity;
  return (
    <div className="pending-activity">
      <p>
        <b>{activity_type}</b> <span className="quiet">{activity_id}</span>{' '}
        <Badge tone={state === 'started' ? 'running' : 'waiting'}>{formatName(state)}</Badge>{' '}
        <span className={attempt > 1 ? 'line-failure figures' : 'figures'}>
          attempt {attempt}
          {maximum_attempts === null ? '' : ` of ${maximum_attempts}`}
        </span>
        {activity.next_attempt_time === null ? null : (
          <>
            , next try <When at={activity.next_attempt_time} />
          </>
        )}
        {activity.last_heartbeat_time === null ? null : (
          <span className="quiet">
            , last heartbeat <When at={activity.last_heartbeat_time} />
          </span>
        )}
      </p>
      {last_failure === null ? null : <FailureView failure={last_failure} />}
      {heartbeat_details.length === 0 ? null : (
        <details>
          <summary className="small">What its heartbeat told</summary>
          <PayloadList payloads={heartbeat_details} label="Heartbeat" />
        </details>
      )}
    </div>
  );
}
