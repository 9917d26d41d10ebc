import type { Clock } from '../primitives/clock.ts';
import { newId } from '../primitives/ids.ts';
import { ActivityIdConflictPolicy, ActivityIdReusePolicy, Link, toEncoded } from '../protocol/proto.ts';
import { activityAlreadyStarted, failedPrecondition } from '../protocol/rpc-error.ts';
import { type ActivityState, type StandaloneActivity, firstDispatchTime, isClosed } from './activity.ts';
import type { ActivityRegistry } from './activity-registry.ts';
import type { ValidStart } from './valid-start.ts';

const MOST_LINKS = 2000;

/** Starts an activity, or answers the run that is used instead. */
export function startActivity(
  { activities, now }: { readonly activities: ActivityRegistry; readonly now: Clock },
  namespace: string,
  start: ValidStart,
): { readonly runId: string; readonly started: boolean } {
  const { activityId } = start;
  const current = activities.find({ namespace, activityId, runId: '' });
  const isSame = current?.state.startRequestId === start.requestId;
  if (current && !isSame) refuse(current, start);
  if (current && (isSame || !isClosed(current.state))) {
    if (!isSame && start.attachesLinks && start.links.length > 0) {
      activities.change(current, ({ state }) => {
        attachLinks(state, start);
      });
    }
    return { runId: current.ref.runId, started: false };
  }
  const scheduledTime = now();
  const ref = { namespace, activityId, runId: newId() };
  const state: ActivityState = {
    status: 'Scheduled',
    activityType: start.activityType,
    startRequestId: start.requestId,
    scheduledTime,
    options: start.options,
    original: start.options,
    attempt: 1,
    stamp: 0,
    queued: false,
    heartbeats: 0,
    links: [],
    transitions: 1,
  };
  attachLinks(state, start);
  activities.add({ ref, state }, start.request, firstDispatchTime(state));
  return { runId: ref.runId, started: true };
}

/** Throws where the policies of the start do not allow another run beside, or after, this one. */
function refuse({ ref, state }: StandaloneActivity, { reusePolicy, conflictPolicy }: ValidStart): void {
  const Reuse = ActivityIdReusePolicy;
  const isRefused = isClosed(state)
    ? reusePolicy === Reuse.ACTIVITY_ID_REUSE_POLICY_REJECT_DUPLICATE ||
      (reusePolicy === Reuse.ACTIVITY_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY &&
        state.status === 'Completed')
    : conflictPolicy === ActivityIdConflictPolicy.ACTIVITY_ID_CONFLICT_POLICY_FAIL;
  if (isRefused) throw activityAlreadyStarted({ startRequestId: state.startRequestId, runId: ref.runId });
}

/** Attaches the links of a start, once for its request id. */
function attachLinks(state: ActivityState, { requestId, links }: ValidStart): void {
  if (state.links.some((each) => each.requestId === requestId)) return;
  if (state.links.length + links.length > MOST_LINKS) {
    throw failedPrecondition(
      `cannot attach more than ${MOST_LINKS} links to an activity (${state.links.length} links already attached)`,
    );
  }
  for (const link of links) state.links.push({ requestId, link: toEncoded(Link, Link.create(link)) });
}
