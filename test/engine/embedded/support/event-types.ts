import { EventType } from '../../../../engine/embedded/protocol/proto.ts';

/** The kinds of events, by the enum's names without what all begin with: `WORKFLOW_TASK_STARTED`. */
export function eventTypes(
  events: readonly { readonly eventType?: number | null }[] | null | undefined,
): string[] {
  return (events ?? []).map(({ eventType }) => String(EventType[eventType ?? 0]).replace('EVENT_TYPE_', ''));
}

/** The types of a workflow task's events, by how the task ended. */
export const endedTask = (end: 'COMPLETED' | 'FAILED' | 'TIMED_OUT'): readonly string[] => [
  'WORKFLOW_TASK_SCHEDULED',
  'WORKFLOW_TASK_STARTED',
  `WORKFLOW_TASK_${end}`,
];
