import {
  CommandType,
  TaskQueueKind,
  WorkflowTaskFailedCause,
} from '../../../../engine/embedded/protocol/proto.ts';
import type { TestEngine } from './engine.ts';

const NAMESPACE = 'default';
/** The identity that a raw worker gives. */
export const BY_HAND = 'by hand';
type Service = TestEngine['connection']['workflowService'];
export type RawTask = Awaited<ReturnType<Service['pollWorkflowTaskQueue']>>;
export type RawCommand = NonNullable<
  Parameters<Service['respondWorkflowTaskCompleted']>[0] extends infer R
    ? R extends { commands?: (infer C)[] | null }
      ? C
      : never
    : never
>;

/** A worker played by hand over the wire: every step of a task is the test's own. */
export class RawWorker {
  readonly #connection: TestEngine['connection'];
  readonly queue: string;

  constructor({ connection }: Pick<TestEngine, 'connection'>, queue: string) {
    this.#connection = connection;
    this.queue = queue;
  }

  get service(): Service {
    return this.#connection.workflowService;
  }

  poll(options: { queue?: string; sticky?: boolean; deadlineMs?: number } = {}): Promise<RawTask> {
    const name = options.queue ?? this.queue;
    const taskQueue = options.sticky
      ? { name, kind: TaskQueueKind.TASK_QUEUE_KIND_STICKY, normalName: this.queue }
      : { name, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL };
    return this.#connection.withDeadline(Date.now() + (options.deadlineMs ?? 10_000), () =>
      this.service.pollWorkflowTaskQueue({ namespace: NAMESPACE, taskQueue, identity: BY_HAND }),
    );
  }

  async complete(
    task: RawTask,
    commands: RawCommand[] = [],
    options: { sticky?: string; stickyTimeoutMs?: number; returnNewWorkflowTask?: boolean } = {},
  ): ReturnType<Service['respondWorkflowTaskCompleted']> {
    const { sticky, stickyTimeoutMs = 5000, returnNewWorkflowTask = false } = options;
    return await this.service.respondWorkflowTaskCompleted({
      namespace: NAMESPACE,
      taskToken: task.taskToken,
      identity: BY_HAND,
      commands,
      returnNewWorkflowTask,
      ...(sticky !== undefined && {
        stickyAttributes: {
          workerTaskQueue: {
            name: sticky,
            kind: TaskQueueKind.TASK_QUEUE_KIND_STICKY,
            normalName: this.queue,
          },
          scheduleToStartTimeout: {
            nanos: (stickyTimeoutMs % 1000) * 1e6,
            seconds: seconds(stickyTimeoutMs),
          },
        },
      }),
    });
  }

  async fail(task: RawTask): Promise<void> {
    await this.service.respondWorkflowTaskFailed({
      namespace: NAMESPACE,
      taskToken: task.taskToken,
      cause: WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR,
      failure: { message: 'by hand' },
    });
  }
}

export const closeCommand: RawCommand = {
  commandType: CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
  completeWorkflowExecutionCommandAttributes: {},
};

export function timerCommand(timerId: string, ms: number): RawCommand {
  return {
    commandType: CommandType.COMMAND_TYPE_START_TIMER,
    startTimerCommandAttributes: {
      timerId,
      startToFireTimeout: { seconds: seconds(ms), nanos: (ms % 1000) * 1e6 },
    },
  };
}

function seconds(ms: number): NonNullable<NonNullable<RawTask['scheduledTime']>['seconds']> {
  return Math.floor(ms / 1000) as unknown as NonNullable<NonNullable<RawTask['scheduledTime']>['seconds']>;
}
