import { errorText } from '../../error-fields.ts';
import { GuestCallError, GuestFileError } from '../../guest-protocol/guest.ts';
import type { ToolsetTool, ToolsetGuest } from './toolset-context.ts';

/** The most paths that one call returns. */
const MOST_PATHS = 200;

const CUT = {
  entries: 'the search was ended after 200,000 entries',
  time: 'the search was ended after 30 seconds',
  interrupted: 'the search was interrupted',
} as const;

/** `glob` lists the files that a pattern matches, the last changed first. */
export function globTool({ glob }: Pick<ToolsetGuest, 'glob'>): ToolsetTool {
  return async (input, { signal }) => {
    const pattern = input.path('pattern');
    const path = input.optionalPath('path');
    const request = { pattern, limit: MOST_PATHS, ...(path === undefined ? {} : { path }) };
    const { paths, found, cut } = await glob(request, signal).catch((error: unknown) => {
      if (error instanceof GuestFileError) throw input.fileFault(error, path ?? '.');
      // The guest explains a refused pattern itself.
      throw error instanceof GuestCallError ? input.fault(errorText(error)) : error;
    });
    const notes = [
      ...(found > paths.length ? [`[${paths.length} of ${found} files are shown]`] : []),
      ...(cut === null ? [] : [`[${CUT[cut]}]`]),
    ];
    return { output: [...(paths.length === 0 ? ['no matches'] : paths), ...notes].join('\n') };
  };
}
