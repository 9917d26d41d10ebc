import { numberOf, type HistoryEvent } from './history-event.ts';

/** A workflow task that was completed: what came in, and what the workflow commanded. */
export interface WorkflowTask {
  readonly startedId: number;
  readonly completedId: number;
  /** The workflow's time during the task, in milliseconds since 1970. */
  readonly at: number;
  /** What came in, in the order in which the workflow is told of it: signals and updates before all else. */
  readonly incoming: readonly HistoryEvent[];
  readonly commands: readonly HistoryEvent[];
  /** The next task was asked for together with the commands, and nothing had come in. */
  readonly isForced: boolean;
}

/** A workflow task that failed or timed out. */
export interface FailedTask {
  readonly eventId: number;
  readonly event: HistoryEvent;
}

const CLOSING = new Set([
  'WorkflowExecutionCompleted',
  'WorkflowExecutionFailed',
  'WorkflowExecutionCanceled',
  'WorkflowExecutionContinuedAsNew',
  'WorkflowExecutionTerminated',
  'WorkflowExecutionTimedOut',
]);

/** Events of the server's own doings, which the workflow is not told of. */
const SILENT = new Set(['ActivityTaskStarted', 'WorkflowTaskScheduled', 'WorkflowTaskStarted']);

type Draft = { -readonly [Key in keyof WorkflowTask]: WorkflowTask[Key] } & {
  readonly commands: HistoryEvent[];
};

/** A history, cut into workflow tasks as the SDK does it on a replay. It may grow. */
export class WorkflowTasks {
  /** Those that the last events have completed, and the one before these. */
  #tasks: Draft[] = [];
  readonly #failedTasks: FailedTask[] = [];
  #incoming: HistoryEvent[] = [];
  #started: { readonly event: HistoryEvent; readonly taken: number } | undefined;
  #last: HistoryEvent | undefined;

  get failedTasks(): readonly FailedTask[] {
    return this.#failedTasks;
  }

  /** What no completed task has taken yet. */
  get waiting(): readonly HistoryEvent[] {
    return this.#incoming;
  }

  /** What ended the run; undefined while it is open. */
  get closed(): HistoryEvent | undefined {
    return this.#last !== undefined && CLOSING.has(this.#last.type) ? this.#last : undefined;
  }

  /**
   * Reads further events.
   *
   * @returns The tasks that they complete, and the one before these where they add to it.
   */
  add(events: readonly HistoryEvent[]): {
    readonly tasks: readonly WorkflowTask[];
    readonly changed: WorkflowTask | undefined;
  } {
    const earlier = this.#tasks.at(-1);
    const commandsBefore = earlier?.commands.length;
    const wasForced = earlier?.isForced;
    this.#tasks = earlier === undefined ? [] : [earlier];
    const byCompletion = new Map(this.#tasks.map(({ completedId, commands }) => [completedId, commands]));
    for (const event of events) this.#take(event, byCompletion);
    const scheduled = new Set(
      events.filter(({ type }) => type === 'WorkflowTaskScheduled').map(({ id }) => id),
    );
    for (const task of this.#tasks) {
      const last = task.commands.at(-1);
      task.isForced ||= scheduled.has((last?.id ?? task.completedId) + 1);
      if (task !== earlier) task.incoming = ordered(task);
    }
    // A task that was ended early says of a local activity alone something else.
    const isToldOtherwise =
      wasForced !== earlier?.isForced && earlier?.commands.at(-1)?.type === 'MarkerRecorded';
    return {
      tasks: this.#tasks.slice(earlier === undefined ? 0 : 1),
      changed: commandsBefore !== earlier?.commands.length || isToldOtherwise ? earlier : undefined,
    };
  }

  #take(event: HistoryEvent, byCompletion: Map<number, HistoryEvent[]>): void {
    const { type, attributes } = event;
    const owner = numberOf(attributes['workflowTaskCompletedEventId']);
    this.#last = event;
    if (type === 'WorkflowTaskStarted') {
      this.#started = { event, taken: this.#incoming.length };
    } else if (type === 'WorkflowTaskCompleted') {
      const taken = this.#started?.taken ?? this.#incoming.length;
      const commands: HistoryEvent[] = [];
      byCompletion.set(event.id, commands);
      this.#tasks.push({
        startedId: this.#started?.event.id ?? event.id,
        completedId: event.id,
        at: this.#started?.event.at ?? event.at,
        incoming: this.#incoming.slice(0, taken),
        commands,
        isForced: false,
      });
      this.#incoming = this.#incoming.slice(taken);
    } else if (type === 'WorkflowTaskFailed' || type === 'WorkflowTaskTimedOut') {
      this.#failedTasks.push({ eventId: event.id, event });
    } else if (owner !== 0) {
      byCompletion.get(owner)?.push(event);
    } else if (
      type === 'WorkflowExecutionUpdateAccepted' ||
      type === 'WorkflowExecutionUpdateCompleted' ||
      type === 'WorkflowExecutionUpdateRejected'
    ) {
      this.#tasks.at(-1)?.commands.push(event);
    } else if (!SILENT.has(type) && !CLOSING.has(type)) {
      this.#incoming.push(event);
    }
  }
}

function ordered({ incoming, commands }: WorkflowTask): readonly HistoryEvent[] {
  const updates = commands
    .filter(({ type }) => type === 'WorkflowExecutionUpdateAccepted')
    .map((event) => ({
      event,
      // An update comes after the events that the server had written when it was asked for.
      position: numberOf(event.attributes['acceptedRequestSequencingEventId']) + 0.5,
    }));
  const all = [...incoming.map((event) => ({ event, position: event.id })), ...updates];
  all.sort((a, b) => rankOf(a.event) - rankOf(b.event) || a.position - b.position);
  return all.map(({ event }) => event);
}

function rankOf({ type }: HistoryEvent): number {
  if (type === 'WorkflowExecutionStarted') return 0;
  return type === 'WorkflowExecutionSignaled' || type === 'WorkflowExecutionUpdateAccepted' ? 1 : 2;
}
