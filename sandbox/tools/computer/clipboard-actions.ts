import { pythonRepr } from '../python-text.ts';
import { ToolError } from '../tool.ts';
import { action, readBy } from './actions.ts';
import { noArguments, textOnly } from './arguments.ts';

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
