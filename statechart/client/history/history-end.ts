import type { HistoryEvent } from './history-event.ts';
import { noteEvent } from './open-step.ts';
import type { ReplayParts } from './replay-parts.ts';

const CLOSING = new Set([
  'WorkflowExecutionCompleted',
  'WorkflowExecutionFailed',
  'WorkflowExecutionCanceled',
  'WorkflowExecutionContinuedAsNew',
]);

/** How the machine stands at the end of a workflow task. */
interface Standing {
  readonly isOver: boolean;
  readonly isCancelled: boolean;
}

/**
 * What the task has commanded must have been asked for by the machine.
 *
 * @param late Events of which the machine is told by the next task.
 * @throws DivergenceError where it was not.
 */
export function requireNothingLeft({ commands, hand }: ReplayParts, late: readonly HistoryEvent[]): void {
  const [left] = commands.leftOf(hand.task).filter(({ event }) => !late.includes(event));
  if (left === undefined) return;
  const what = left.kind === 'delay' ? 'a delay' : `the ${left.kind} '${left.name}'`;
  hand.part(`the history starts ${what}, the machine does not`, left.event.id);
}

/** @throws DivergenceError where the task ends the run and the machine does not, or otherwise. */
export function requireSameEnd(parts: ReplayParts, { isOver, isCancelled }: Standing): void {
  const { machine, hand } = parts;
  const closing = hand.task.commands.find(({ type }) => CLOSING.has(type));
  if (closing === undefined) return;
  const last = machine.steps.at(-1);
  if (!isOver) hand.part(`the history ends here, the machine is in '${last?.to ?? ''}'`, closing.id);
  requireSameStatus(parts, closing, isCancelled);
  if (last !== undefined) noteEvent(last, closing.id);
}

function requireSameStatus(
  { machine: { interpreter }, hand }: ReplayParts,
  { type, id }: HistoryEvent,
  isCancelled: boolean,
): void {
  const status = interpreter?.failure === undefined ? interpreter?.snapshot.status : 'error';
  const isSame =
    type === 'WorkflowExecutionCanceled'
      ? isCancelled
      : type === 'WorkflowExecutionCompleted'
        ? status === 'done' || status === 'stopped'
        : type === 'WorkflowExecutionFailed'
          ? status === 'error'
          : status === 'active';
  if (!isSame) hand.part(`the history ends with ${type}, the machine is '${status ?? 'not started'}'`, id);
}
