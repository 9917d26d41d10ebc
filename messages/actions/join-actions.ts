import type { ComputerAction } from './action.ts';

/**
 * Joins the actions that `encodeComputer` made of one action: a move with a click or drag, a button that is pressed,
 * moved and released, several keys, several waits. The result is undefined where they do not make up one action.
 */
export function joinActions(actions: readonly ComputerAction[]): ComputerAction | undefined {
  const [first, second, third] = actions;
  if (first === undefined || second === undefined) return first;
  if (actions.every((action) => action.type === 'key')) {
    return { type: 'key', keys: actions.flatMap(({ keys }) => keys) };
  }
  if (actions.every((action) => action.type === 'wait')) {
    return { type: 'wait', seconds: actions.reduce((sum, { seconds }) => sum + seconds, 0) };
  }
  if (actions.length === 2 && first.type === 'mouse_move') {
    if (second.type === 'click' && second.at === undefined) return { ...second, at: first.to };
    if (second.type === 'drag' && second.from === undefined) return { ...second, from: first.to };
  }
  if (
    actions.length === 3 &&
    first.type === 'mouse_down' &&
    second.type === 'mouse_move' &&
    third?.type === 'mouse_up'
  ) {
    return { type: 'drag', to: second.to };
  }
  return undefined;
}
