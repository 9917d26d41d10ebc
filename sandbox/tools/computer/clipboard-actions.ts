import { pythonRepr } from '../python-text.ts';
import { ToolError } from '../tool.ts';
import { action, by } from './actions.ts';
import { nothing, textOnly } from './arguments.ts';

/** The text on the clipboard, or with `selection: "primary"` what is selected with the mouse; none is an empty text. */
export const clipboardRead = action(
  (name, input, { space }) => {
    nothing(name, input, space);
    const selection = input['selection'] ?? 'clipboard';
    if (selection !== 'clipboard' && selection !== 'primary')
      throw new ToolError(`selection=${pythonRepr(selection)} must be 'clipboard' or 'primary'`);
    return selection;
  },
  async (selection, { display }) => ({ output: await display.clipboard.read(selection) }),
  () => null,
);

/** Puts a text on the clipboard, for any program to paste. */
export const clipboardWrite = action(
  by(textOnly),
  async (text, { display }) => {
    await display.clipboard.write(text);
    return { output: `${Array.from(text).length} characters are on the clipboard` };
  },
  () => null,
);
