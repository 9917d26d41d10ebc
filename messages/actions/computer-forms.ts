import { ACTIONS_20241022 } from '../tools/computer-use-20241022.ts';
import { ACTIONS_20250124 } from '../tools/computer-use-20250124.ts';
import type { ComputerGeneration } from '../tools/generations.ts';

/** What the actions are called, in every generation alike. */
export type ComputerActionName =
  | 'key'
  | 'hold_key'
  | 'type'
  | 'cursor_position'
  | 'mouse_move'
  | 'left_mouse_down'
  | 'left_mouse_up'
  | 'left_click'
  | 'left_click_drag'
  | 'right_click'
  | 'middle_click'
  | 'double_click'
  | 'triple_click'
  | 'scroll'
  | 'wait'
  | 'screenshot'
  | 'zoom';

/** In what the generations of the computer tool differ. A new generation is one more entry of `COMPUTER_FORMS`. */
export interface ComputerForm {
  readonly generation: ComputerGeneration;
  /** Every action that the generation knows. */
  readonly actions: readonly ComputerActionName[];
  /** Each action is a tool of its own, instead of the field `action` of one tool. */
  readonly toolset: boolean;
  /** Whether a click says where; else it acts where the cursor is. */
  readonly clicksPoint: boolean;
  /** Where keys may be held meanwhile, in `text`. */
  readonly modifiers: { readonly clicks: boolean; readonly drag: boolean };
  /** Whether a drag says where it begins; else it begins where the cursor is. */
  readonly dragStart: 'never' | 'optional' | 'required';
  /**
   * `key` presses one combination `repeat` times, and the names of keys are told apart by their letters alone; else it takes
   * xdotool's syntax, where several combinations stand one behind the other and a capital letter means shift.
   */
  readonly repeat: boolean;
  /** The longest `wait` and `hold_key`, in seconds. */
  readonly longestSeconds: number;
}

const FORM_20250124: ComputerForm = {
  generation: 'computer_20250124',
  actions: ACTIONS_20250124,
  toolset: false,
  clicksPoint: true,
  modifiers: { clicks: true, drag: false },
  dragStart: 'optional',
  repeat: false,
  longestSeconds: 100,
};

/** By generation, oldest first. */
export const COMPUTER_FORMS: Readonly<Record<ComputerGeneration, ComputerForm>> = {
  computer_20241022: {
    generation: 'computer_20241022',
    actions: ACTIONS_20241022,
    toolset: false,
    clicksPoint: false,
    modifiers: { clicks: false, drag: false },
    dragStart: 'never',
    repeat: false,
    longestSeconds: 0,
  },
  computer_20250124: FORM_20250124,
  computer_20251124: {
    ...FORM_20250124,
    generation: 'computer_20251124',
    actions: [...ACTIONS_20250124, 'zoom'],
  },
  computer_toolset_20260801: {
    generation: 'computer_toolset_20260801',
    actions: [...ACTIONS_20250124, 'zoom'],
    toolset: true,
    clicksPoint: true,
    modifiers: { clicks: true, drag: true },
    dragStart: 'required',
    repeat: true,
    longestSeconds: 300,
  },
};

/** The presses of `key` that one `repeat` may ask for. */
export const MOST_REPEATS = 100;

/** The click that each action of that kind is. */
export const CLICKS = {
  left_click: { button: 'left', count: 1 },
  right_click: { button: 'right', count: 1 },
  middle_click: { button: 'middle', count: 1 },
  double_click: { button: 'left', count: 2 },
  triple_click: { button: 'left', count: 3 },
} as const satisfies Partial<Record<ComputerActionName, { button: string; count: number }>>;
