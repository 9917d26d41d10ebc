/**
 * The actions of a model on a computer, the same for all generations of the tools. Coordinates are whole pixels from
 * the top left corner of the screen that the client shows; durations are seconds.
 */

export type Point = readonly [x: number, y: number];
export type Region = readonly [x0: number, y0: number, x1: number, y1: number];
export type Direction = 'up' | 'down' | 'left' | 'right';

export interface Click {
  readonly type: 'click';
  readonly button: 'left' | 'middle' | 'right';
  /** Only the left button can click two or three times. */
  readonly count: 1 | 2 | 3;
  /** Defaults to the place of the cursor. */
  readonly at?: Point;
  /** The keys that are held during the click, such as `ctrl+shift`. */
  readonly modifiers?: string;
}

export interface Drag {
  readonly type: 'drag';
  /** Defaults to the place of the cursor. */
  readonly from?: Point;
  readonly to: Point;
  readonly modifiers?: string;
}

interface Scroll {
  readonly type: 'scroll';
  readonly direction: Direction;
  /** The number of clicks of the wheel. */
  readonly amount: number;
  readonly at?: Point;
  readonly modifiers?: string;
}

export type ComputerAction =
  /** The keys or combinations of keys are pressed one after the other, in this order. */
  | { readonly type: 'key'; readonly keys: readonly string[] }
  | { readonly type: 'hold_key'; readonly keys: readonly string[]; readonly seconds: number }
  | { readonly type: 'type'; readonly text: string }
  | { readonly type: 'cursor_position' }
  | { readonly type: 'mouse_move'; readonly to: Point }
  | { readonly type: 'mouse_down' }
  | { readonly type: 'mouse_up' }
  | Click
  | Drag
  | Scroll
  | { readonly type: 'wait'; readonly seconds: number }
  | { readonly type: 'screenshot' }
  | { readonly type: 'zoom'; readonly region: Region };

/** A command to a file editor, the same for all generations. */
export type EditorCommand =
  | { readonly type: 'view'; readonly path: string; readonly range?: readonly [first: number, last: number] }
  | { readonly type: 'create'; readonly path: string; readonly text: string }
  | { readonly type: 'str_replace'; readonly path: string; readonly old: string; readonly with?: string }
  | { readonly type: 'insert'; readonly path: string; readonly line: number; readonly text: string }
  | { readonly type: 'undo_edit'; readonly path: string };

/** What a tool's input means in its generation, or the reason why it means nothing. */
export type Decoded<T> =
  | { readonly action: T; readonly invalid?: never }
  | { readonly action?: never; readonly invalid: string };

/** The inputs that express an action in a generation, in order, or the reason why that generation has none for it. */
export type Encoded<T> =
  | { readonly inputs: readonly T[]; readonly refused?: never }
  | { readonly inputs?: never; readonly refused: string };
