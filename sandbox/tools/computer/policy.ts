import type { TypingPace } from '../../display/keyboard.ts';
import type { Patience } from '../../display/stillness.ts';
import type { Compat, DisplaySize, ToolDefinition } from '../../protocol.ts';
import { referenceSpace, toldSpace, type CoordinateSpace } from './coordinate-space.ts';
import { readKeys, splitKeys } from './key-names.ts';

/** What to wait for before a picture is taken: a fixed time, or a screen that has come to rest. */
export type Rest = { readonly fixedMs: number } | { readonly settle: Partial<Patience> };

/** Everything in which the two compats differ. */
export interface ComputerPolicy {
  readonly space: (screen: DisplaySize, definition: ToolDefinition) => CoordinateSpace;
  /** The combinations in the text of `key`. */
  readonly keys: (text: string) => readonly string[];
  /** Whether `key` with no key in its text is refused before anything runs. */
  readonly refuseNoKeys: boolean;
  readonly typing: TypingPace;
  readonly doubleClickGapMs: number;
  /** What xdotool said, as the model is told. */
  readonly complaint: (stderr: string) => string;
  readonly rest: { readonly afterAction: Rest; readonly afterTyping: Rest; readonly beforeScreenshot: Rest };
}

/** The reference to the letter, its two seconds after each action and its half second between the clicks of a double click too. */
const REFERENCE: ComputerPolicy = {
  space: referenceSpace,
  keys: splitKeys,
  refuseNoKeys: false,
  typing: { chunk: 50, delayMs: 12 },
  doubleClickGapMs: 500,
  complaint: (stderr) => stderr,
  rest: { afterAction: { fixedMs: 2000 }, afterTyping: { fixedMs: 0 }, beforeScreenshot: { fixedMs: 0 } },
};

/**
 * The reference's defects mended. Typing without a pause lost nothing in a terminal, a GTK editor and a browser (1,000
 * characters in 0.5 to 1.5 s on two busy cores), and an interrupt ends the call that types.
 */
const DEFAULT: ComputerPolicy = {
  space: toldSpace,
  keys: readKeys,
  refuseNoKeys: true,
  typing: { chunk: 500, delayMs: 0 },
  doubleClickGapMs: 10,
  // xdotool says everything once for pressing and once for letting go.
  complaint: (stderr) => Array.from(new Set(stderr.trimEnd().split('\n'))).join('\n'),
  rest: {
    afterAction: { settle: {} },
    afterTyping: { settle: {} },
    beforeScreenshot: { settle: { firstMs: 30, quietMs: 30, repeatMs: 100, answerMs: 0, maxMs: 1000 } },
  },
};

export const COMPUTER_POLICIES: Readonly<Record<Compat, ComputerPolicy>> = {
  reference: REFERENCE,
  default: DEFAULT,
};
