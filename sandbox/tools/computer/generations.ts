import { BUTTON } from '../../display/mouse.ts';
import { cursorPosition, key, mouseMove, screenshot, type, type Action } from './actions.ts';
import { clipboardRead, clipboardWrite, holdKey, repeatedKey, wait } from './timed-actions.ts';
import {
  clickAt,
  clickHere,
  drag,
  dragHere,
  leftMouseDown,
  leftMouseUp,
  scroll,
  toolsetDrag,
} from './pointer-actions.ts';
import { zoom } from './zoom.ts';

type Actions = Readonly<Record<string, Action>>;

const ACTIONS_20241022: Actions = {
  key,
  type,
  mouse_move: mouseMove,
  left_click: clickHere(BUTTON.left),
  left_click_drag: dragHere,
  right_click: clickHere(BUTTON.right),
  middle_click: clickHere(BUTTON.middle),
  double_click: clickHere(BUTTON.left, 2),
  screenshot,
  cursor_position: cursorPosition(','),
};

/** This generation adds clicks at a position, held keys and buttons, the wheel, and waiting. */
const ACTIONS_20250124: Actions = {
  ...ACTIONS_20241022,
  left_click: clickAt(BUTTON.left),
  left_click_drag: drag,
  right_click: clickAt(BUTTON.right),
  middle_click: clickAt(BUTTON.middle),
  double_click: clickAt(BUTTON.left, 2),
  triple_click: clickAt(BUTTON.left, 3),
  left_mouse_down: leftMouseDown,
  left_mouse_up: leftMouseUp,
  scroll,
  hold_key: holdKey(100),
  wait: wait(100),
};

const ACTIONS_20251124: Actions = { ...ACTIONS_20250124, zoom };

/** The tools of the toolset. */
const TOOLSET_20260801: Actions = {
  ...ACTIONS_20251124,
  key: repeatedKey,
  left_click_drag: toolsetDrag,
  cursor_position: cursorPosition(', '),
  hold_key: holdKey(300),
  wait: wait(300),
};

/** The actions of each generation of the tool, by the `type` of its definition. */
export const GENERATIONS: Readonly<Record<string, Actions>> = {
  computer_20241022: ACTIONS_20241022,
  computer_20250124: ACTIONS_20250124,
  computer_20251124: ACTIONS_20251124,
  computer_toolset_20260801: TOOLSET_20260801,
};

/** Our own actions, beside those of any generation but the toolset. */
export const EXTENSIONS: Actions = { clipboard_read: clipboardRead, clipboard_write: clipboardWrite };
