import type { ShellResult } from '../guest-protocol/shell.ts';
import type { ToolOutput } from './tool.ts';

/** At most this many surviving programs are named. */
const MAX_LEFT = 10;

/** What became of a command that was stopped. Programs that hide their origin cannot be identified, and the text says so. */
export function stoppedText({ left, shellKept }: ShellResult): string {
  const shell = shellKept ? 'the shell goes on' : 'the next command runs in a new shell';
  if (left.length === 0) return `stopped with all it had started; ${shell}`;
  const more = left.length > MAX_LEFT ? ` and ${left.length - MAX_LEFT} more` : '';
  const named = left.slice(0, MAX_LEFT).join(', ');
  return `stopped; what it may have started lives on: ${named}${more}; ${shell}`;
}

/** The output of a command with a notice of the folders that were full meanwhile. */
export function withFullFolders(output: ToolOutput, { full }: ShellResult): ToolOutput {
  if (full.length === 0) return output;
  return {
    ...output,
    notice: full.map(({ path, mib }) => `${path} was full: it holds ${mib} MiB at most`).join('; '),
  };
}
