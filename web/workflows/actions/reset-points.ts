import { type HistoryEvent, typeName, typeOf } from '../history/history-event.ts';

/** A place in the history that a run can go on from. */
interface ResetPoint {
  readonly id: number;
  readonly label: string;
}

const POINT = /^WORKFLOW_TASK_(?:COMPLETED|FAILED|TIMED_OUT)$/;

/** The newest first, each with what happened before it. */
export function resetPointsOf(events: readonly HistoryEvent[]): readonly ResetPoint[] {
  let before = '';
  const points: ResetPoint[] = [];
  for (const event of events) {
    const type = typeOf(event);
    if (POINT.test(type)) {
      points.push({ id: Number(event.eventId), label: `${event.eventId}, after ${before.toLowerCase()}` });
    } else if (!type.startsWith('WORKFLOW_TASK_')) before = typeName(type);
  }
  return points.toReversed();
}
