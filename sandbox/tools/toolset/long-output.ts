import { createHash } from 'node:crypto';
import { GuestFileError } from '../../guest-protocol/guest.ts';
import type { ToolsetGuest } from './toolset-context.ts';

/** Characters of a result that the model is shown. */
const MOST_CHARACTERS = 100_000;
/** Of a longer one: how many of its beginning and of its end. */
const SHOWN = 10_000;
/** Where the whole of a longer one is kept, in the sandbox. */
const FOLDER = '/tmp/tool_outputs';

/** A text that the model can take: one that is longer is written to a file in the sandbox, and its begin and end shown. */
export async function limitedOutput(
  files: ToolsetGuest['files'],
  text: string,
  most = MOST_CHARACTERS,
): Promise<string> {
  if (text.length <= most) return text;
  const shown = Math.min(SHOWN, Math.floor(most / 2));
  const name = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const path = `${FOLDER}/${name}.txt`;
  const where = await files.write(path, Buffer.from(text, 'utf8')).then(
    () => `the whole is in ${path}`,
    (error: unknown) => {
      if (!(error instanceof GuestFileError)) throw error;
      return 'the whole could not be kept in a file';
    },
  );
  const note = `[${text.length} characters, of which ${text.length - 2 * shown} are left out here; ${where}]`;
  return [text.slice(0, shown), note, text.slice(-shown)].join('\n');
}
