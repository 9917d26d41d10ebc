import { type Compat, INTERRUPTED_RESULT } from '@steadyhand/contracts';
import type { GuestShell, ShellResult } from '../guest-protocol/shell.ts';
import { stoppedText, withFullFolders } from './shell-report.ts';
import { type Tool, ToolError, type ToolOutput } from './tool.ts';

/** The types of tool definitions that this tool serves. */
export const BASH_TYPES = ['bash_20241022', 'bash_20250124'] as const;

/** The most characters of output that reach the model. */
const MAX_CHARACTERS = 16_000;
const DEFAULT_TIMEOUT_MS = 120_000;

interface BashToolOptions {
  readonly shell: GuestShell;
  readonly compat: Compat;
  /** Milliseconds a command may take. The default is 120,000, as the reference's. */
  readonly timeoutMs?: number;
}

/**
 * The bash tool. `default` differs from the reference in this: both streams come in the order written, with at most
 * 16,000 characters; an exit status other than 0 is shown; after a timeout the shell goes on with its state; when bash
 * exits, the next call has a new one. `reference` keeps the reference's texts and its state: after a timeout or an exit
 * every call fails until a restart.
 */
export function createBashTool({ shell, compat, timeoutMs = DEFAULT_TIMEOUT_MS }: BashToolOptions): Tool {
  let dead: ToolOutput | null = null;
  return {
    run: async (input, { signal, env }) => {
      const { command, restart } = readInput(input);
      if (restart) {
        await shell.restart();
        dead = null;
        return { system: 'tool has been restarted.' };
      }
      if (dead !== null) return dead;
      if (command === undefined) throw new ToolError('no command provided.');
      const reference = compat === 'reference';
      if (!reference && command.includes('\0'))
        throw new ToolError('command must not contain NUL characters');
      const result = await shell.run(
        {
          // The reference's bash ignores them.
          command: reference ? command.replaceAll('\0', '') : command,
          ...(env === undefined ? {} : { env }),
          timeoutMs,
          streams: reference ? 'separate' : 'merged',
          keepCharacters: reference ? null : MAX_CHARACTERS,
        },
        signal,
      );
      const answer = reference ? referenceOutput(result, timeoutMs) : defaultOutput(result, timeoutMs);
      if (reference && (result.ended === 'exited' || result.ended === 'timeout')) dead = answer;
      return withFullFolders(answer, result);
    },
  };
}

function readInput(input: unknown): { command: string | undefined; restart: boolean } {
  if (typeof input !== 'object' || input === null) throw new ToolError('no command provided.');
  const { command, restart } = input as { readonly command?: unknown; readonly restart?: unknown };
  if (restart !== undefined && restart !== null && typeof restart !== 'boolean') {
    throw new ToolError('restart must be true or false');
  }
  if (restart === true) return { command: undefined, restart };
  if (command === undefined || command === null) throw new ToolError('no command provided.');
  if (typeof command !== 'string') throw new ToolError('command must be a string');
  return { command, restart: false };
}

function defaultOutput(result: ShellResult, timeoutMs: number): ToolOutput {
  const output = result.stdout;
  switch (result.ended) {
    case 'completed':
      return { output, ...(result.status === 0 ? {} : { system: `exit status ${result.status}` }) };
    case 'exited':
      return {
        output,
        system: `bash has exited with returncode ${result.status}; the next command runs in a new shell`,
      };
    case 'timeout':
      return {
        output,
        error: `timed out: the command had not returned after ${timeoutMs / 1000} seconds and was ${stoppedText(result)}`,
      };
    case 'interrupted':
      return { output, error: `interrupted: the command was ${stoppedText(result)}` };
  }
}

/** The reference makes bash print this after each command and reads the output up to it. */
const SENTINEL = '<<exit>>';

function referenceOutput(result: ShellResult, timeoutMs: number): ToolOutput {
  const [before = '', ...after] = result.stdout.split(SENTINEL);
  const output = after.length > 0 ? before.replace(/\n$/, '') : before;
  const traced = result.traced ? [`+ echo '${SENTINEL}'`] : [];
  const streams = { output, error: [result.stderr, ...traced].filter((text) => text !== '').join('\n') };
  switch (result.ended) {
    case 'completed':
      return streams;
    case 'exited':
      return {
        system: 'tool must be restarted',
        // In the reference a shell runs bash and reports a signal as a status.
        error: `bash has exited with returncode ${(result.status ?? 0) < 0 ? 128 - (result.status ?? 0) : result.status}`,
      };
    case 'timeout':
      return {
        error: `timed out: bash has not returned in ${pythonFloat(timeoutMs / 1000)} seconds and must be restarted`,
      };
    case 'interrupted':
      return { ...streams, error: INTERRUPTED_RESULT };
  }
}

function pythonFloat(value: number): string {
  return Number.isInteger(value) ? `${value}.0` : `${value}`;
}
