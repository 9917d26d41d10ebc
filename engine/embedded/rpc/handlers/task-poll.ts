import { dispatchActivity } from '../../activity/dispatch.ts';
import type { Kernel } from '../../kernel.ts';
import type { Poller, TaskQueue } from '../../matching/task-queue.ts';
import { dispatchQuery } from '../../queries/dispatch.ts';
import { type TaskToken, decodeTaskToken } from '../../task-token.ts';
import { dispatchWorkflowTask } from '../../workflow-task/dispatch.ts';
import { type Call, taskPollWaitMs, untilRead, waitFor } from '../call.ts';

/**
 * Holds a poll until its queue has a task for it. A task is never lost to a poll whose client has gone: such polls are
 * passed over, and a task whose poll turns out to have been cancelled goes back to be delivered again.
 */
export async function pollTask<R extends { taskToken?: Uint8Array | null }>(
  kernel: Kernel,
  call: Call,
  findQueue: () => TaskQueue<R>,
  request: PollRequest,
): Promise<R | undefined> {
  const ms = taskPollWaitMs(kernel, call);
  const poller = toPoller(request, call);
  await untilRead();
  if (call.isCancelled) return undefined;
  const queue = findQueue();
  const waiting = queue.take(poller);
  if (waiting) kernel.group.flush(); // At once, so that nothing can happen to the poll before it is answered.
  const task = waiting ?? (await waitFor<R>(call, ms, (resolve) => queue.wait(poller, resolve)));
  if (task) call.onUndelivered(() => giveBack(kernel, decodeTaskToken(task.taskToken)));
  else if (call.isCancelled) queue.noteDeparture();
  return task;
}

interface PollRequest {
  readonly identity?: string | null;
  readonly workerVersionCapabilities?: { readonly buildId?: string | null } | null;
}

function toPoller(request: PollRequest, call: Call): Poller {
  return {
    identity: request.identity ?? '',
    buildId: request.workerVersionCapabilities?.buildId || undefined,
    get isGone() {
      return call.isCancelled;
    },
  };
}

/** The task never reached its worker: any other may have it. A timeout or another event may have come first. */
function giveBack(kernel: Kernel, token: TaskToken): void {
  if (token.kind === 'query') {
    const query = kernel.queries.find(token.queryId);
    if (query) dispatchQuery(kernel, query);
    return;
  }
  const { record } = kernel.runs.peek(token) ?? {};
  const held = token.kind === 'workflow' ? record?.workflowTask : record?.activities[token.scheduledEventId];
  if (held?.fence !== token.fence) return;
  kernel.runs.transact(() => {
    const state = kernel.runs.edit(token);
    if (!state) return;
    if (token.kind === 'workflow') {
      const task = state.record.workflowTask;
      if (!task) return;
      task.handedOut = false;
      delete task.fence;
      kernel.updates.unsend(state.ref);
      kernel.queries.returnAll(state.ref);
      dispatchWorkflowTask(kernel, state);
      return;
    }
    const activity = state.record.activities[token.scheduledEventId];
    if (!activity) return;
    delete activity.startedTime;
    delete activity.fence;
    dispatchActivity(kernel, state, activity);
  });
}
