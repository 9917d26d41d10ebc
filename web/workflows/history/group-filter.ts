import { type EventGroup, failureIn } from './groups.ts';

/** Workflow tasks are how a history is made, not what has happened; those that went wrong are. */
export function isUsual({ kind, state, attempts }: EventGroup): boolean {
  return kind !== 'task' || state === 'failed' || state === 'timed out' || attempts > 1;
}

/** Whether a group's names, ids or failure hold the text. */
export function isFound(group: EventGroup, text: string): boolean {
  const sought = text.trim().toLowerCase();
  if (sought === '') return true;
  const { id, label, detail = '', state, kind } = group;
  const held = [String(id), label, detail, state, kind, failureIn(group) ?? ''];
  return held.some((word) => word.toLowerCase().includes(sought));
}
