import type { temporal } from '@temporalio/proto';
import { dispatchActivityTask, redispatchWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import type { CommitGroup } from '../persistence/commit-group.ts';
import type { Limits } from '../primitives/limits.ts';
import type { Poller, TaskQueue } from '../queues/task-queue.ts';
import { type QueryServices, dispatchQuery } from '../queries/dispatch.ts';
import { type TaskToken, decodeTaskToken } from '../protocol/task-token.ts';
import type { ActivityRegistry } from '../standalone-activities/activity-registry.ts';
import { workerVersion } from '../deployments/version.ts';
import { type Call, taskPollWaitMs, pendingReads, waitFor } from '../rpc/call.ts';

/** What polling for tasks takes. */
export interface PollServices extends QueryServices {
  readonly group: Pick<CommitGroup, 'flush'>;
  readonly activities: ActivityRegistry;
  readonly limits: Limits;
}

/**
 * Holds a poll until its queue has a task for it. No task is lost to a poll whose client has gone: such polls are
 * skipped, and a task whose poll turns out to have been cancelled is dispatched again.
 */
export async function pollTask<R extends { taskToken?: Uint8Array | null }>(
  services: PollServices,
  call: Call,
  findQueue: () => TaskQueue<R>,
  request: PollRequest,
): Promise<R | undefined> {
  const ms = taskPollWaitMs(services.limits, call);
  const poller = toPoller(request, call);
  await pendingReads();
  if (call.isCancelled) return undefined;
  const queue = findQueue();
  const waiting = queue.take(poller);
  // The flush comes at once, so that nothing can happen to the poll before it is answered.
  if (waiting) services.group.flush();
  const task = waiting ?? (await waitFor<R>(call, ms, (resolve) => queue.wait(poller, resolve)));
  if (task) call.onUndelivered(() => redispatch(services, decodeTaskToken(task.taskToken)));
  else if (call.isCancelled) queue.noteDeparture();
  return task;
}

interface PollRequest {
  readonly identity?: string | null;
  readonly workerVersionCapabilities?: { readonly buildId?: string | null } | null;
  readonly deploymentOptions?: temporal.api.deployment.v1.IWorkerDeploymentOptions | null;
}

function toPoller(request: PollRequest, call: Call): Poller {
  return {
    identity: request.identity ?? '',
    buildId: request.workerVersionCapabilities?.buildId || undefined,
    version: workerVersion(request.deploymentOptions),
    sdk: call.sdk,
    get isGone() {
      return call.isCancelled;
    },
  };
}

/** Dispatches a task that never reached its worker again, unless a timeout or another event came first. */
function redispatch(services: PollServices, token: TaskToken): void {
  if (token.kind === 'query') {
    const query = services.queries.find(token.queryId);
    if (query) dispatchQuery(services, query);
    return;
  }
  if (token.kind === 'standalone') {
    services.activities.takeBack(token, token.fence);
    return;
  }
  const { runs } = services;
  const { record, pending } = runs.peek(token) ?? {};
  const started =
    token.kind === 'workflow' ? record?.workflowTask : pending?.activities.get(token.scheduledEventId);
  if (started?.fence !== token.fence) return;
  runs.transact(() => {
    const state = runs.edit(token);
    if (!state) return;
    if (token.kind === 'workflow') {
      if (state.record.workflowTask) redispatchWorkflowTask(state, state.record.workflowTask);
      return;
    }
    const activity = state.pending.activities.edit(token.scheduledEventId);
    if (!activity) return;
    delete activity.startedTime;
    delete activity.fence;
    dispatchActivityTask(state, activity);
  });
}
