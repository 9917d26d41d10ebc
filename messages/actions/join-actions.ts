import type { ComputerAction } from './action.ts';

/**
 * The one action that several, done one after the other, make up, as `encodeComputer` takes actions apart: a move and a click
 * or drag, a button pressed, moved and let go, keys, waits. Undefined when they are no such one.
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
