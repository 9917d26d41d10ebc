import { pause } from '../../display/settle.ts';
import { action, beforeScreenshot, type Action, readBy } from './actions.ts';
import { repeatOf, secondsOf, requiredText, noArguments, textOnly } from './arguments.ts';
import { pythonRepr } from '../python-text.ts';
import { ToolError } from '../tool.ts';

/** Holds keys for `duration` seconds, at most `longest`. */
export function holdKey(longest: number): Action {
  return action(
    (name, input, { space }) => {
      const seconds = secondsOf(input, longest);
      return { seconds, text: requiredText(name, input, space) };
    },
    async ({ seconds, text }, { display, behaviour, signal }) => ({
      complaint: await behaviour.input.holdKey(display, text, seconds, signal),
    }),
  );
}

/** Waits for `duration` seconds, at most `longest`. */
export function wait(longest: number): Action {
  return action(
    (_, input) => secondsOf(input, longest),
    (seconds, { signal }) => pause(seconds * 1000, signal),
    beforeScreenshot,
  );
}

/** The toolset's key is pressed `repeat` times. */
export const repeatedKey = action(
  (name, input, { space }) => ({ text: requiredText(name, input, space), times: repeatOf(input) }),
  async ({ text, times }, { display, behaviour, signal }) => ({
    complaint: await behaviour.input.key(display, text, signal, times),
  }),
);

/** The most characters that reach the model, as with bash. */
const MAX_CHARACTERS = 16_000;

function clipped(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')}\n<response clipped>\n`;
}

/**
 * Returns the text on the clipboard, or with `selection: "primary"` what is selected with the mouse. It is empty where
 * there is none.
 */
export const clipboardRead = action(
  (name, input, { space }) => {
    noArguments(name, input, space);
    const selection = input['selection'] ?? 'clipboard';
    if (selection !== 'clipboard' && selection !== 'primary')
      throw new ToolError(`selection=${pythonRepr(selection)} must be 'clipboard' or 'primary'`);
    return selection;
  },
  async (selection, { display }) => ({ output: clipped(await display.clipboard.read(selection)) }),
  () => null,
);

/** Puts a text on the clipboard, from which any program can paste it. */
export const clipboardWrite = action(
  readBy(textOnly),
  async (text, { display }) => {
    await display.clipboard.write(text);
    return { output: `${Array.from(text).length} characters are on the clipboard` };
  },
  () => null,
);
