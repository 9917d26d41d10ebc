import type { ShellResult } from '../../guest-protocol/shell.ts';
import { stoppedText, withFullFolders } from '../shell-report.ts';
import type { ToolOutput } from '../tool.ts';
import type { ToolsetInput } from './fields.ts';
import { limitedOutput } from './long-output.ts';
import type { ToolsetTool, ToolsetGuest } from './toolset-context.ts';

/** The longest time that a call may ask for, in milliseconds. */
const LONGEST_BASH_MS = 600_000;

/** Returns the milliseconds that a call of `bash` may take. */
export function bashTimeout(input: ToolsetInput, byDefault: number): number {
  const asked = input.count('timeout_ms');
  if (asked === undefined || asked === 0) return byDefault;
  if (asked > LONGEST_BASH_MS) throw input.fault(`timeout_ms must be at most ${LONGEST_BASH_MS}`);
  return asked;
}

/**
 * `bash` runs a command in the sandbox's shell, which keeps its state from call to call. `restart` begins a new shell,
 * and runs the command there if there is one. A command that fails is an error with its output and its exit status.
 */
export function bashTool(
  guest: Pick<ToolsetGuest, 'shell' | 'files'>,
  defaultTimeoutMs: number,
): ToolsetTool {
  const { shell } = guest;
  return async (input, { signal, env }) => {
    const command = input.optional('command') ?? '';
    const restart = input.flag('restart');
    const timeoutMs = bashTimeout(input, defaultTimeoutMs);
    if (command === '' && !restart) throw input.fault('command is required');
    if (command.includes('\0')) throw input.fault('command must not hold a NUL character');
    if (restart) await shell.restart();
    if (command === '') return { output: 'bash session restarted' };
    const result = await shell.run(
      {
        command,
        ...(env === undefined ? {} : { env }),
        timeoutMs,
        streams: 'merged',
        keepCharacters: null,
      },
      signal,
    );
    const output = await limitedOutput(guest.files, result.stdout);
    return withFullFolders({ output, ...faultOf(result, timeoutMs) }, result);
  };
}

function faultOf(result: ShellResult, timeoutMs: number): Pick<ToolOutput, 'error' | 'system'> {
  switch (result.ended) {
    case 'completed':
      return result.status === 0 ? {} : { error: `exit ${result.status}` };
    case 'exited': {
      const ended = `bash has exited with returncode ${result.status}; the next command runs in a new shell`;
      return result.status === 0 ? { system: ended } : { error: ended };
    }
    case 'timeout':
      return { error: `bash: timed out after ${timeoutMs} ms; the command was ${stoppedText(result)}` };
    case 'interrupted':
      return { error: `bash: interrupted; the command was ${stoppedText(result)}` };
  }
}
