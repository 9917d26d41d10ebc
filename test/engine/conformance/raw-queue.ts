import type { Connection } from '@temporalio/client';
import {
  CommandType,
  TaskQueueKind,
  WorkflowTaskFailedCause,
} from '../../../engine/embedded/protocol/proto.ts';

/** A command of a workflow task, as far as these tests give any by hand. */
export type RawCommand =
  | { readonly startTimer: { readonly timerId: string; readonly ms: number } }
  | { readonly completeWorkflow: true };

/** A task queue polled by hand, over the wire that workers use. */
export interface RawQueue {
  readonly name: string;
  /** Takes the next workflow task and answers with its token. */
  poll(): Promise<Uint8Array>;
  /** Completes a task; `sticky` names a queue that the next one shall go to first, for at most a second. */
  complete(taskToken: Uint8Array, commands: readonly RawCommand[], sticky?: string): Promise<void>;
  fail(taskToken: Uint8Array): Promise<void>;
  /** Lets a real worker have the queue until `done`. */
  finishWithWorker(done: () => Promise<void>): Promise<void>;
}

const identity = 'raw-poller';

export function rawQueue(
  connection: Connection,
  namespace: string,
  name: string,
  finishWithWorker: (taskQueue: string, done: () => Promise<void>) => Promise<void>,
): RawQueue {
  const service = connection.workflowService;
  return {
    name,
    poll: async () => {
      const task = await connection.withDeadline(Date.now() + 20_000, () =>
        service.pollWorkflowTaskQueue({
          namespace,
          taskQueue: { name, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
          identity,
        }),
      );
      if (task.taskToken.length === 0) throw new Error(`no workflow task on ${name}`);
      return task.taskToken;
    },
    complete: async (taskToken, commands, sticky) => {
      await service.respondWorkflowTaskCompleted({
        namespace,
        taskToken,
        identity,
        commands: commands.map((command) =>
          'startTimer' in command
            ? {
                commandType: CommandType.COMMAND_TYPE_START_TIMER,
                startTimerCommandAttributes: {
                  timerId: command.startTimer.timerId,
                  startToFireTimeout: { nanos: command.startTimer.ms * 1e6 },
                },
              }
            : {
                commandType: CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
                completeWorkflowExecutionCommandAttributes: {},
              },
        ),
        ...(sticky === undefined
          ? {}
          : {
              stickyAttributes: {
                workerTaskQueue: {
                  name: sticky,
                  kind: TaskQueueKind.TASK_QUEUE_KIND_STICKY,
                  normalName: name,
                },
                scheduleToStartTimeout: { nanos: 999_000_000 },
              },
            }),
      });
    },
    fail: async (taskToken) => {
      await service.respondWorkflowTaskFailed({
        namespace,
        taskToken,
        identity,
        cause: WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR,
        failure: { message: 'raw failure', applicationFailureInfo: { type: 'Raw' } },
      });
    },
    finishWithWorker: (done) => finishWithWorker(name, done),
  };
}
