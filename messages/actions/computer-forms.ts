import { ACTIONS_20241022 } from '../tools/computer-use-20241022.ts';
import { ACTIONS_20250124 } from '../tools/computer-use-20250124.ts';
import type { ComputerGeneration } from '../tools/generations.ts';
import type { COMPUTER_MEMBERS } from '../tools/tool-names.ts';

/** The names of the actions, which all generations share. */
export type ComputerActionName = (typeof COMPUTER_MEMBERS)[number];

/**
 * The ways in which generations of the computer tool differ. A new generation is one more entry of `COMPUTER_FORMS`.
 */
export interface ComputerForm {
  readonly generation: ComputerGeneration;
  /** Every action that the generation knows. */
  readonly actions: readonly ComputerActionName[];
  /** Whether each action is a tool of its own, instead of a value of the field `action` of one tool. */
  readonly toolset: boolean;
  /** Whether a click has coordinates; otherwise it acts at the cursor's place. */
  readonly clicksPoint: boolean;
  /** The actions during which keys may be held, named in `text`. */
  readonly modifiers: { readonly clicks: boolean; readonly drag: boolean };
  /** Whether a drag has a start point; otherwise it begins at the cursor's place. */
  readonly dragStart: 'never' | 'optional' | 'required';
  /**
   * Whether `key` presses one combination `repeat` times and ignores the case of names. Otherwise it takes xdotool's
   * syntax, in which one text may hold several combinations and a capital letter means shift.
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

/** The form of each generation, oldest first. */
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

/** The largest `repeat`. */
export const MOST_REPEATS = 100;

/** The click that each clicking action makes. */
export const CLICKS = {
  left_click: { button: 'left', count: 1 },
  right_click: { button: 'right', count: 1 },
  middle_click: { button: 'middle', count: 1 },
  double_click: { button: 'left', count: 2 },
  triple_click: { button: 'left', count: 3 },
} as const satisfies Partial<Record<ComputerActionName, { button: string; count: number }>>;
