import type { MutableState } from '../../../../engine/embedded/mutable-state/mutable-state.ts';
import { CommandType, ParentClosePolicy } from '../../../../engine/embedded/protocol/proto.ts';
import { duration, long } from '../../../../engine/embedded/protocol/values.ts';
import type { Command } from '../../../../engine/embedded/commands/context.ts';

export const closeCommand: Command = {
  commandType: CommandType.COMMAND_TYPE_COMPLETE_WORKFLOW_EXECUTION,
  completeWorkflowExecutionCommandAttributes: {},
};

/** Makes random commands; `fresh` gives names that were never given before. */
export class Commands {
  readonly #random: () => number;
  readonly #fresh: (prefix: string) => string;
  readonly #others: readonly string[];

  constructor(random: () => number, fresh: (prefix: string) => string, others: readonly string[]) {
    this.#random = random;
    this.#fresh = fresh;
    this.#others = others;
  }

  /** A command for this run, such as a workflow's code might give now. */
  next(state: MutableState): Command {
    const kind = this.#random();
    if (kind < 0.5) return this.#activity();
    if (kind < 0.65) return this.#timer();
    const timerId = this.#oneOf([...state.pending.timers.values()])?.startedEventId;
    if (kind < 0.7 && timerId !== undefined) return this.#cancelTimer(state, timerId);
    const scheduled = this.#oneOf([...state.pending.activities.values()])?.scheduledEventId;
    if (kind < 0.8 && scheduled !== undefined) {
      return {
        commandType: CommandType.COMMAND_TYPE_REQUEST_CANCEL_ACTIVITY_TASK,
        requestCancelActivityTaskCommandAttributes: { scheduledEventId: long(scheduled) },
      };
    }
    if (kind < 0.88) return this.#child();
    if (kind < 0.94) return this.#signal();
    return {
      commandType: CommandType.COMMAND_TYPE_CONTINUE_AS_NEW_WORKFLOW_EXECUTION,
      continueAsNewWorkflowExecutionCommandAttributes: {
        workflowType: { name: 't' },
        taskQueue: { name: 'q' },
      },
    };
  }

  #activity(): Command {
    const seconds = (most: number): number => 1000 * Math.ceil(this.#random() * most);
    return {
      commandType: CommandType.COMMAND_TYPE_SCHEDULE_ACTIVITY_TASK,
      scheduleActivityTaskCommandAttributes: {
        activityId: this.#fresh('a'),
        activityType: { name: 't' },
        taskQueue: { name: 'q' },
        startToCloseTimeout: duration(seconds(20)),
        ...(this.#random() < 0.3 && { heartbeatTimeout: duration(seconds(5)) }),
        ...(this.#random() < 0.3 && { scheduleToCloseTimeout: duration(seconds(40)) }),
        retryPolicy: {
          initialInterval: duration(seconds(3)),
          backoffCoefficient: 1,
          maximumAttempts: Math.ceil(this.#random() * 3),
        },
        requestEagerExecution: this.#random() < 0.3,
      },
    };
  }

  #timer(): Command {
    return {
      commandType: CommandType.COMMAND_TYPE_START_TIMER,
      startTimerCommandAttributes: {
        timerId: this.#fresh('t'),
        startToFireTimeout: duration(1000 * Math.ceil(this.#random() * 20)),
      },
    };
  }

  #cancelTimer(state: MutableState, startedEventId: number): Command {
    const { timerId } = state.event(startedEventId).timerStartedEventAttributes ?? {};
    return {
      commandType: CommandType.COMMAND_TYPE_CANCEL_TIMER,
      cancelTimerCommandAttributes: { timerId: timerId ?? '' },
    };
  }

  #child(): Command {
    const { PARENT_CLOSE_POLICY_ABANDON, PARENT_CLOSE_POLICY_TERMINATE } = ParentClosePolicy;
    return {
      commandType: CommandType.COMMAND_TYPE_START_CHILD_WORKFLOW_EXECUTION,
      startChildWorkflowExecutionCommandAttributes: {
        workflowId: this.#fresh('child'),
        workflowType: { name: 't' },
        taskQueue: { name: 'q' },
        parentClosePolicy: this.#random() < 0.5 ? PARENT_CLOSE_POLICY_ABANDON : PARENT_CLOSE_POLICY_TERMINATE,
      },
    };
  }

  #signal(): Command {
    return {
      commandType: CommandType.COMMAND_TYPE_SIGNAL_EXTERNAL_WORKFLOW_EXECUTION,
      signalExternalWorkflowExecutionCommandAttributes: {
        execution: { workflowId: this.#oneOf(this.#others) ?? '' },
        signalName: this.#fresh('from outside'),
      },
    };
  }

  #oneOf<T>(all: readonly T[]): T | undefined {
    return all[Math.floor(this.#random() * all.length)];
  }
}
