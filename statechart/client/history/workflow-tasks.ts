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

export interface SplitHistory {
  readonly tasks: readonly WorkflowTask[];
  readonly failedTasks: readonly FailedTask[];
  /** What no completed task has taken yet. */
  readonly waiting: readonly HistoryEvent[];
  /** What ended the run; undefined while it is open. */
  readonly closed: HistoryEvent | undefined;
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

/** Cuts a history into workflow tasks, as the SDK does on a replay. */
export function splitHistory(events: readonly HistoryEvent[]): SplitHistory {
  const tasks: (WorkflowTask & { readonly commands: HistoryEvent[] })[] = [];
  const failedTasks: FailedTask[] = [];
  const byCompletion = new Map<number, HistoryEvent[]>();
  const scheduled = new Set(
    events.filter(({ type }) => type === 'WorkflowTaskScheduled').map(({ id }) => id),
  );
  let incoming: HistoryEvent[] = [];
  let started: { readonly event: HistoryEvent; readonly taken: number } | undefined;
  for (const event of events) {
    const { type, attributes } = event;
    const owner = numberOf(attributes['workflowTaskCompletedEventId']);
    if (type === 'WorkflowTaskStarted') {
      started = { event, taken: incoming.length };
    } else if (type === 'WorkflowTaskCompleted') {
      const taken = started?.taken ?? incoming.length;
      const commands: HistoryEvent[] = [];
      byCompletion.set(event.id, commands);
      tasks.push({
        startedId: started?.event.id ?? event.id,
        completedId: event.id,
        at: started?.event.at ?? event.at,
        incoming: incoming.slice(0, taken),
        commands,
        isForced: false,
      });
      incoming = incoming.slice(taken);
    } else if (type === 'WorkflowTaskFailed' || type === 'WorkflowTaskTimedOut') {
      failedTasks.push({ eventId: event.id, event });
    } else if (owner !== 0) {
      byCompletion.get(owner)?.push(event);
    } else if (
      type === 'WorkflowExecutionUpdateAccepted' ||
      type === 'WorkflowExecutionUpdateCompleted' ||
      type === 'WorkflowExecutionUpdateRejected'
    ) {
      tasks.at(-1)?.commands.push(event);
    } else if (!SILENT.has(type) && !CLOSING.has(type)) {
      incoming.push(event);
    }
  }
  const last = events.at(-1);
  return {
    tasks: tasks.map((task) => ({
      ...task,
      incoming: ordered(task),
      isForced: scheduled.has((task.commands.at(-1)?.id ?? task.completedId) + 1),
    })),
    failedTasks,
    waiting: incoming,
    closed: last !== undefined && CLOSING.has(last.type) ? last : undefined,
  };
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
