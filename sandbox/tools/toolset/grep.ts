import { errorCode } from '../../error-fields.ts';
import { UNSEARCHED } from '../../guest-protocol/glob.ts';
import type { RunResult } from '../../guest-protocol/guest.ts';
import type { ToolsetInput } from './fields.ts';
import type { ToolsetTool, ToolsetGuest } from './toolset-context.ts';

/** The most bytes that one call returns. */
const MOST_BYTES = 100 * 1024;
const LONGEST_MS = 60_000;
/** The most characters of a line that are shown; lines of generated files have any length. */
const LONGEST_LINE = 2000;
/** Both programs exit with this status when there was no match. */
const NO_MATCH = 1;

/**
 * `grep` lists the lines of a file, or of all files below a folder, that a regular expression matches, as
 * `path:line:text`. It uses ripgrep, else GNU grep with Perl's syntax. Both get their arguments as a list.
 */
export function grepTool(guest: Pick<ToolsetGuest, 'run' | 'absolute' | 'files'>): ToolsetTool {
  const { run, absolute, files } = guest;
  return async (input, { signal }) => {
    const pattern = input.path('pattern');
    const path = await absolute(input.optionalPath('path') ?? '.');
    const found = await files.stat(path).catch((error: unknown) => {
      throw input.fileFault(error, path);
    });
    if (found === null) throw input.fault(`${path}: no such file or directory`);
    // Reading a FIFO would block.
    if (found.kind === 'other') throw input.fault(`${path} is neither a file nor a directory`);
    const options = { timeoutMs: LONGEST_MS, stopAfterBytes: MOST_BYTES, signal };
    const result =
      (await started(run(ripgrep(pattern, path), options))) ??
      (await started(run(gnuGrep(pattern, path), options)));
    if (result === null) throw input.fault('neither rg nor grep is installed on this computer');
    return { output: shown(result, { input, interrupted: signal.aborted }) };
  };
}

function ripgrep(pattern: string, path: string): string[] {
  const leftOut = UNSEARCHED.flatMap((name) => ['--glob', `!**/${name}/**`]);
  const how = [
    '--no-config',
    '--no-ignore',
    '--hidden',
    '--no-messages',
    '--color=never',
    '--no-heading',
    '--with-filename',
  ];
  return ['rg', ...how, '--line-number', '--sort=path', ...leftOut, '-e', pattern, '--', path];
}

function gnuGrep(pattern: string, path: string): string[] {
  const leftOut = UNSEARCHED.map((name) => `--exclude-dir=${name}`);
  // -I skips binary files, -s files that may not be read.
  return ['grep', '-rPHnIs', '--color=never', ...leftOut, '-e', pattern, '--', path];
}

/** Returns null where there is no such program. */
async function started(running: Promise<RunResult>): Promise<RunResult | null> {
  try {
    return await running;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

function shown(
  { code, stdout, stderr, timedOut }: RunResult,
  { input, interrupted }: { readonly input: ToolsetInput; readonly interrupted: boolean },
): string {
  const tooMuch = stdout.length > MOST_BYTES;
  const text = Buffer.from(stdout).toString('utf8', 0, Math.min(stdout.length, MOST_BYTES));
  // Truncated output ends within a line.
  const lines = text
    .split('\n')
    .slice(0, tooMuch || text.endsWith('\n') ? -1 : undefined)
    .filter((line) => line !== '');
  const said = Buffer.from(stderr).toString('utf8').trim();
  if (timedOut && lines.length === 0) throw input.fault(`timed out after ${LONGEST_MS / 1000} seconds`);
  if (interrupted && lines.length === 0) throw input.fault('interrupted');
  // Another status without a message means that some file could not be read and the others contain no match.
  if (lines.length === 0 && said !== '' && code !== NO_MATCH) throw input.fault(said);
  if (lines.length === 0) return 'no matches';
  const notes = [
    ...(tooMuch ? [`[the output was cut at ${MOST_BYTES} bytes; narrow the pattern or the path]`] : []),
    ...(timedOut ? [`[the search was ended after ${LONGEST_MS / 1000} seconds]`] : []),
    ...(interrupted ? ['[the search was interrupted]'] : []),
  ];
  return [...lines.map(clippedLine), ...notes].join('\n');
}

function clippedLine(line: string): string {
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)} [the line goes on]`;
}
