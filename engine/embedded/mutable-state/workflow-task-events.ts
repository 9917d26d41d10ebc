import type { HistoryEvent } from '../history/events.ts';
import type { WorkflowTaskRecord } from './record.ts';
import { EventType, TaskQueueKind } from '../protocol/proto.ts';
import { duration, long, timestamp, withoutZeroValues } from '../protocol/values.ts';

type ScheduledAttributes = NonNullable<HistoryEvent['workflowTaskScheduledEventAttributes']>;
type StartedAttributes = NonNullable<HistoryEvent['workflowTaskStartedEventAttributes']>;

/** The attributes of a workflow task's events, which are the same whether the events are written or only shown. */
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
    targetWorkerDeploymentVersionChanged: task.targetVersionChanged ?? false,
    historySizeBytes: task.historySizeBytes ? long(task.historySizeBytes) : null,
    workerVersion: task.buildId ? { buildId: task.buildId } : null,
  });
}

/** Makes the events of a transient or speculative task, which are shown in histories but not written yet. */
export function unwrittenTaskEvents(
  normalQueue: string,
  task: WorkflowTaskRecord | undefined,
): HistoryEvent[] {
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
      workflowTaskStartedEventAttributes: startedAttributes({ ...task, identity: '' }),
    });
  }
  return events;
}
