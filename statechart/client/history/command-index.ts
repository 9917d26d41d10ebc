import { fieldsOf, isFields, numberOf, textOf, type HistoryEvent } from './history-event.ts';
import { valuesOf } from './payloads.ts';
import type { WorkflowTask } from './workflow-tasks.ts';

/** A command of the workflow as the history has it. */
export interface RecordedCommand {
  readonly kind: 'activity' | 'local activity' | 'child' | 'delay' | 'signal';
  readonly event: HistoryEvent;
  /** The type of the activity or the child, the name of the signal. */
  readonly name: string;
  /** The number of the invocation; undefined for other kinds, and where an activity's arguments do not say it. */
  readonly step: number | undefined;
  /** The activity's, the timer's or the child's id; the workflow that is signalled. */
  readonly id: string;
}

/** The commands of a history by what the machine knows of them. Each is taken once. */
export class CommandIndex {
  readonly #workflowId: string;
  readonly #left = new Map<number, RecordedCommand>();
  readonly #cancels = new Map<string, HistoryEvent>();
  readonly #marks = new Set<string>();

  constructor(workflowId: string) {
    this.#workflowId = workflowId;
  }

  /** The ids of all patch markers. */
  get marks(): ReadonlySet<string> {
    return this.#marks;
  }

  /** Reads the commands of further tasks, and answers those that the machine may have given. */
  add(tasks: readonly WorkflowTask[]): readonly RecordedCommand[] {
    const added: RecordedCommand[] = [];
    for (const event of tasks.flatMap(({ commands }) => commands)) {
      for (const mark of marksOf([event])) this.#marks.add(mark);
      const command = this.#commandOf(event);
      if (command !== undefined) {
        this.#left.set(event.id, command);
        added.push(command);
      }
      const cancelled = cancelKey(event);
      if (cancelled !== undefined) this.#cancels.set(cancelled, event);
    }
    return added;
  }

  /** Takes the first command that fits; undefined when there is none. */
  take(fits: (command: RecordedCommand) => boolean): RecordedCommand | undefined {
    for (const [id, command] of this.#left) {
      if (!fits(command)) continue;
      this.#left.delete(id);
      return command;
    }
    return undefined;
  }

  /** The commands of a task that nothing has taken. */
  leftOf({ commands }: WorkflowTask): readonly RecordedCommand[] {
    return commands.flatMap(({ id }) => this.#left.get(id) ?? []);
  }

  /** The event by which an activity, a timer or a child was cancelled; undefined when it was not. */
  cancelOf(kind: 'activity' | 'delay' | 'child', id: string): HistoryEvent | undefined {
    return this.#cancels.get(`${kind} ${id}`);
  }

  #commandOf(event: HistoryEvent): RecordedCommand | undefined {
    const { type, attributes } = event;
    switch (type) {
      case 'ActivityTaskScheduled': {
        const [, invocation] = valuesOf(attributes['input']);
        const step = isFields(invocation) ? numberOf(invocation['step']) : 0;
        return {
          kind: 'activity',
          event,
          name: textOf(fieldsOf(attributes, 'activityType'), 'name'),
          step: step === 0 ? undefined : step,
          id: textOf(attributes, 'activityId'),
        };
      }
      case 'TimerStarted':
        return { kind: 'delay', event, name: '', step: undefined, id: textOf(attributes, 'timerId') };
      case 'StartChildWorkflowExecutionInitiated': {
        const id = textOf(attributes, 'workflowId');
        const own = id.startsWith(`${this.#workflowId}/`);
        const step = own ? Number(id.slice(id.lastIndexOf('/') + 1)) : Number.NaN;
        return {
          kind: 'child',
          event,
          name: textOf(fieldsOf(attributes, 'workflowType'), 'name'),
          step: Number.isInteger(step) ? step : undefined,
          id,
        };
      }
      case 'SignalExternalWorkflowExecutionInitiated':
        return {
          kind: 'signal',
          event,
          name: textOf(attributes, 'signalName'),
          step: undefined,
          id: textOf(fieldsOf(attributes, 'workflowExecution'), 'workflowId'),
        };
      case 'MarkerRecorded': {
        const local = localActivityOf(event);
        if (local === undefined) return undefined;
        return { kind: 'local activity', event, name: local.name, step: undefined, id: String(local.seq) };
      }
      default:
        return undefined;
    }
  }
}

/** The ids of the patch markers among events. */
export function marksOf(events: readonly HistoryEvent[]): ReadonlySet<string> {
  const marks = new Set<string>();
  for (const { type, attributes } of events) {
    if (type !== 'MarkerRecorded' || attributes['markerName'] !== 'core_patch') continue;
    const [data] = valuesOf(fieldsOf(attributes, 'details')['patch-data']);
    if (isFields(data)) marks.add(textOf(data, 'id'));
  }
  return marks;
}

/** What the marker of a local activity says; undefined for any other event. */
export function localActivityOf({
  type,
  attributes,
}: HistoryEvent): { readonly seq: number; readonly name: string; readonly result: unknown } | undefined {
  if (type !== 'MarkerRecorded' || attributes['markerName'] !== 'core_local_activity') return undefined;
  const details = fieldsOf(attributes, 'details');
  const [data] = valuesOf(details['data']);
  if (!isFields(data)) return undefined;
  const [result] = valuesOf(details['result']);
  return { seq: numberOf(data['seq']), name: textOf(data, 'activity_type'), result };
}

/** Whether it tells a child that its parent goes on in another run. */
export function isParentMoves({ event, kind }: RecordedCommand): boolean {
  if (kind !== 'signal') return false;
  const [message] = valuesOf(event.attributes['input']);
  return isFields(message) && message['type'] === 'parent-moves';
}

function cancelKey({ type, attributes }: HistoryEvent): string | undefined {
  switch (type) {
    case 'ActivityTaskCancelRequested':
      return `activity ${numberOf(attributes['scheduledEventId'])}`;
    case 'TimerCanceled':
      return `delay ${numberOf(attributes['startedEventId'])}`;
    case 'RequestCancelExternalWorkflowExecutionInitiated':
      return `child ${textOf(fieldsOf(attributes, 'workflowExecution'), 'workflowId')}`;
    default:
      return undefined;
  }
}
