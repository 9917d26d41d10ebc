import type { Compat, DisplaySize, ToolDefinition } from '@steadyhand/contracts';
import type { SettleTimes } from '../../display/settle-detector.ts';
import { modifiers, refuse, stringOf, type ArgumentReader } from './arguments.ts';
import { referenceSpace, declaredSpace, type CoordinateSpace } from './coordinate-space.ts';
import { DEFAULT_INPUT, type InputDriver, inputWith, REFERENCE_INPUT } from './input-driver.ts';
import { readToolsetKeys } from './key-names.ts';

/** What to wait for before a screenshot: a fixed time, or a screen that has come to rest. */
export type ScreenWait = { readonly fixedMs: number } | { readonly settle: Partial<SettleTimes> };

/** Everything in which the two compats differ. */
export interface ComputerBehaviour {
  readonly space: (screen: DisplaySize, definition: ToolDefinition) => CoordinateSpace;
  readonly input: InputDriver;
  /** Milliseconds between the clicks of a double click, by the type of the tool. */
  readonly clickGapMs: (type: string) => number;
  /** Reads the keys that a click or a scroll holds. */
  readonly heldKeys: { readonly click: ArgumentReader<string>; readonly scroll: ArgumentReader<string> };
  /** Whether the input of a drag may name its start. */
  readonly dragStart: boolean;
  readonly zoom: 'scaled picture' | 'screen';
  /** Whether actions that only this product has are available. */
  readonly extensions: boolean;
  readonly waits: {
    readonly afterAction: ScreenWait;
    readonly afterTyping: ScreenWait;
    readonly beforeScreenshot: ScreenWait;
  };
}

/**
 * This is exactly the reference, including its two seconds after each action and the half second in its first double
 * click.
 */
const REFERENCE: ComputerBehaviour = {
  space: referenceSpace,
  input: REFERENCE_INPUT,
  clickGapMs: (type) => (type === 'computer_20241022' ? 500 : 10),
  heldKeys: {
    click: (action, { text, key }) => {
      refuse('text', text, action);
      return key == null ? '' : stringOf(key);
    },
    scroll: (_, { text }) => (text == null ? '' : stringOf(text)),
  },
  dragStart: false,
  zoom: 'scaled picture',
  extensions: false,
  waits: { afterAction: { fixedMs: 2000 }, afterTyping: { fixedMs: 0 }, beforeScreenshot: { fixedMs: 0 } },
};

/** This corrects the reference's defects. */
const DEFAULT: ComputerBehaviour = {
  space: declaredSpace,
  input: DEFAULT_INPUT,
  clickGapMs: () => 10,
  heldKeys: { click: modifiers, scroll: modifiers },
  dragStart: true,
  zoom: 'screen',
  extensions: true,
  waits: {
    afterAction: { settle: {} },
    afterTyping: { settle: {} },
    beforeScreenshot: { settle: { firstMs: 30, quietMs: 30, repeatMs: 100, answerMs: 0, maxMs: 1000 } },
  },
};

/**
 * The toolset has no reference, so it is the same in both compats. Its keys are distinguished by their letters alone.
 */
const TOOLSET: ComputerBehaviour = { ...DEFAULT, input: inputWith(readToolsetKeys), extensions: false };

export function behaviourFor(compat: Compat, type: string): ComputerBehaviour {
  if (type === 'computer_toolset_20260801') return TOOLSET;
  return compat === 'reference' ? REFERENCE : DEFAULT;
}
