/**
 * What a model does to a computer, whichever generation of tools it says it in. Coordinates are whole pixels from the top
 * left corner of the screen that the client shows; durations are seconds.
 */

export type Point = readonly [x: number, y: number];
export type Region = readonly [x0: number, y0: number, x1: number, y1: number];
export type Direction = 'up' | 'down' | 'left' | 'right';

export interface Click {
  readonly type: 'click';
  readonly button: 'left' | 'middle' | 'right';
  /** Two and three with the left button alone. */
  readonly count: 1 | 2 | 3;
  /** Default: where the cursor is. */
  readonly at?: Point;
  /** Keys held meanwhile, such as `ctrl+shift`. */
  readonly modifiers?: string;
}

export interface Drag {
  readonly type: 'drag';
  /** Default: where the cursor is. */
  readonly from?: Point;
  readonly to: Point;
  readonly modifiers?: string;
}

interface Scroll {
  readonly type: 'scroll';
  readonly direction: Direction;
  /** Clicks of the wheel. */
  readonly amount: number;
  readonly at?: Point;
  readonly modifiers?: string;
}

export type ComputerAction =
  /** Keys or combinations of keys, pressed one after the other, each as often as it stands there. */
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

/** What a file editor is told, whichever generation says it. */
export type EditorCommand =
  | { readonly type: 'view'; readonly path: string; readonly range?: readonly [first: number, last: number] }
  | { readonly type: 'create'; readonly path: string; readonly text: string }
  | { readonly type: 'str_replace'; readonly path: string; readonly old: string; readonly with?: string }
  | { readonly type: 'insert'; readonly path: string; readonly line: number; readonly text: string }
  | { readonly type: 'undo_edit'; readonly path: string };

/** A tool's input as its generation means it, or why it means nothing. */
export type Decoded<T> =
  { readonly action: T; readonly invalid?: never } | { readonly action?: never; readonly invalid: string };

/** The inputs that say it in a generation, in order, or why that generation cannot say it. */
export type Encoded<T> =
  | { readonly inputs: readonly T[]; readonly refused?: never }
  | { readonly inputs?: never; readonly refused: string };
