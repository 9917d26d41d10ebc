import { createHash } from 'node:crypto';
import { GuestFileError } from '../../guest-protocol/guest.ts';
import type { ToolsetGuest } from './toolset-context.ts';

/** The most characters of a result that the model sees. */
const MOST_CHARACTERS = 100_000;
/** Of a longer one this many characters of its begin and of its end are shown. */
const SHOWN = 10_000;
/** The folder in the sandbox in which longer texts are kept. */
const FOLDER = '/tmp/tool_outputs';

/**
 * Limits a text for the model: a longer one is written to a file in the sandbox, and its begin and end are returned.
 */
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
