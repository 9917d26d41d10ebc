import { Connection } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';
import proto from '@temporalio/proto';
import type { Engine } from '../../engine/index.ts';

const { CommandType } = proto.temporal.api.enums.v1;
type Command = temporal.api.command.v1.ICommand;
type Service = Connection['workflowService'];
type Task = Awaited<ReturnType<Service['pollWorkflowTaskQueue']>>;

const NAMESPACE = 'default';
type Duration = NonNullable<temporal.api.common.v1.IRetryPolicy['initialInterval']>;
const seconds = (count: number): Duration => ({
  seconds: count as unknown as NonNullable<Duration['seconds']>,
});

/** An activity that is over after a day at the latest; its worker beats once an hour. */
export function activityCommand(activityId: string, queue: string): Command {
  return {
    commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
    scheduleActivityTaskCommandAttributes: {
      activityId,
      activityType: { name: 'noop' },
      taskQueue: { name: queue },
      startToCloseTimeout: seconds(86_400),
      heartbeatTimeout: seconds(3600),
    },
  };
}

export function timerCommand(timerId: string): Command {
  return {
    commandType: CommandType.COMMAND_TYPE_START_TIMER,
    startTimerCommandAttributes: { timerId, startToFireTimeout: seconds(86_400) },
  };
}

const close: Command = {
  commandType: CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
  completeWorkflowExecutionCommandAttributes: {},
};

/** One run whose worker is played by hand, so that what is measured is the engine and the wire. */
export class RawRun {
  readonly #connection: Connection;
  readonly #queue: string;
  #task: Task;
  #coming: Promise<Task> | undefined;

  private constructor(connection: Connection, queue: string, task: Task) {
    this.#connection = connection;
    this.#queue = queue;
    this.#task = task;
  }

  static async start(engine: Engine, name: string): Promise<RawRun> {
    const connection = await Connection.connect(engine.connection);
    await connection.workflowService.startWorkflowExecution({
      namespace: NAMESPACE,
      workflowId: name,
      requestId: name,
      workflowType: { name: 'by hand' },
      taskQueue: { name },
      workflowTaskTimeout: seconds(60),
    });
    return new RawRun(connection, name, await pollWorkflow(connection, name));
  }

  /** Answers the workflow task with commands that lead to the next task, for which the worker waits from now on. */
  async answer(commands: Command[]): Promise<void> {
    this.#coming = pollWorkflow(this.#connection, `${this.#queue} sticky`);
    await this.#answer(commands);
  }

  async #answer(commands: Command[]): Promise<void> {
    const { taskToken } = this.#task;
    await this.#connection.workflowService.respondWorkflowTaskCompleted({
      namespace: NAMESPACE,
      taskToken,
      commands,
      stickyAttributes: {
        workerTaskQueue: { name: `${this.#queue} sticky`, normalName: this.#queue },
        scheduleToStartTimeout: seconds(60),
      },
    });
  }

  /** Takes an activity from a queue and completes it. */
  async perform(queue: string): Promise<void> {
    const { workflowService } = this.#connection;
    const { taskToken } = await this.#connection.withDeadline(Date.now() + 30_000, () =>
      workflowService.pollActivityTaskQueue({ namespace: NAMESPACE, taskQueue: { name: queue } }),
    );
    await workflowService.respondActivityTaskCompleted({ namespace: NAMESPACE, taskToken });
  }

  async next(): Promise<void> {
    this.#task = (await this.#coming) ?? this.#task;
  }

  async close(): Promise<void> {
    await this.#answer([close]);
    await this.#connection.close();
  }
}

export function pollWorkflow(connection: Connection, name: string): Promise<Task> {
  return connection.withDeadline(Date.now() + 30_000, () =>
    connection.workflowService.pollWorkflowTaskQueue({ namespace: NAMESPACE, taskQueue: { name } }),
  );
}
