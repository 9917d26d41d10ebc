import type { HistoryEvent } from '../history/events.ts';
import type { WorkflowTaskRecord } from '../mutable-state/record.ts';
import { EventType, TaskQueueKind } from '../proto.ts';
import { duration, long, timestamp, withoutZeroValues } from '../proto-values.ts';

type ScheduledAttributes = NonNullable<HistoryEvent['workflowTaskScheduledEventAttributes']>;
type StartedAttributes = NonNullable<HistoryEvent['workflowTaskStartedEventAttributes']>;

/** The events of a workflow task, in the same form whether they are written or only shown while the task is out. */
export function scheduledAttributes(normalQueue: string, task: WorkflowTaskRecord): ScheduledAttributes {
  return {
    taskQueue: task.sticky
      ? { name: task.queue, kind: TaskQueueKind.TASK_QUEUE_KIND_STICKY, normalName: normalQueue }
      : { name: normalQueue, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
    startToCloseTimeout: duration(task.timeoutMs),
    attempt: task.attempt,
  };
}

export function startedAttributes(task: WorkflowTaskRecord): StartedAttributes {
  return withoutZeroValues({
    scheduledEventId: long(task.scheduledEventId),
    identity: task.identity ?? '',
    requestId: task.requestId ?? '',
    suggestContinueAsNew: task.suggestContinueAsNew ?? false,
    historySizeBytes: task.historySizeBytes ? long(task.historySizeBytes) : null,
    workerVersion: task.buildId ? { buildId: task.buildId } : null,
  });
}

/** The promised events of a task that is not in history (yet): shown to its worker and in histories read meanwhile. */
export function promisedEvents(normalQueue: string, task: WorkflowTaskRecord | undefined): HistoryEvent[] {
  if (!task || task.kind === 'normal') return [];
  const events: HistoryEvent[] = [
    {
      eventId: long(task.scheduledEventId),
      eventTime: timestamp(task.scheduledTime),
      eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_SCHEDULED,
      workflowTaskScheduledEventAttributes: scheduledAttributes(normalQueue, task),
    },
  ];
  if (task.startedEventId !== undefined) {
    events.push({
      eventId: long(task.startedEventId),
      eventTime: timestamp(task.startedTime ?? task.scheduledTime),
      eventType: EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED,
      workflowTaskStartedEventAttributes: startedAttributes(task),
    });
  }
  return events;
}
