import { MARK } from './command-processes.ts';

/**
 * The lines that drive the persistent bash. The command reaches bash as one quoted word for `eval`, and completion is told
 * through a pipe of its own with a nonce, so nothing a command is made of or prints can break the framing. Every builtin is
 * called through `builtin`, past functions and aliases of the agent's.
 */

/** Stops a running command: bash traps it, saves its state and starts itself anew. Real-time, so that nobody else uses it. */
export const ABORT_SIGNAL = 44;
export const ABORTED = 'aborted';

export interface DriverPaths {
  /** Private folder of the shell; bash is started in it, so that its messages begin `bash: line 1:`. */
  readonly folder: string;
  /** Pipe that completion is told through. */
  readonly status: string;
  /** Where the state goes while bash starts itself anew. */
  readonly state: string;
}

/** What the command starts is told by it: see CommandProcesses. A shell whose agent made it read-only keeps the old one. */
function markLine(nonce: string): string {
  return `builtin export ${MARK}=${nonce} 2>/dev/null || builtin :; `;
}

/** The pipe bash reads its script from, relative to the folder; its name is what bash calls itself in messages. */
export const SCRIPT_NAME = 'bash';

/** The pipe of its output, relative to the folder. */
export const OUTPUT_NAME = 'out';

export interface CommandLine {
  readonly command: string;
  readonly nonce: string;
  /** Exit status of the command before, which `$?` must still tell. */
  readonly lastStatus: number;
  /** `x` and `v` when the agent had them set: they are off between commands. */
  readonly tracing: string;
  readonly errexit: boolean;
}

/**
 * First line for a new bash: working directory, the traps, a report under `nonce`. Bash sends itself the SIGINT that ended what it
 * substitutes, `$(…)`, and would go with it when that is stopped.
 */
export function openingLine(paths: DriverPaths, home: string, nonce: string): string {
  const first = `builtin cd -- ${quote(home)}; builtin unset OLDPWD; builtin trap : INT`;
  return `${first}; ${trapLine(paths)}; ${reportLine(paths, nonce)}\n`;
}

/** First line for a bash that started itself anew: its state comes back, then a report under `nonce`. */
export function reopeningLine(paths: DriverPaths, nonce: string): string {
  return `{ builtin source ${quote(paths.state)}; } >/dev/null 2>&1; ${trapLine(paths)}; ${reportLine(paths, nonce)}\n`;
}

/** What a command reports as it begins: bash has read all of its line by then. */
export function begunNonce(nonce: string): string {
  return `begun-${nonce}`;
}

/**
 * The line for a bash that reads its script from standard input, as the reference's does, so that its messages name the same
 * line: one line for each of the command's, nothing before the first. `whole`: the command takes nothing of what follows and is
 * to stand in the line as it is; else it goes through `eval`, which survives what makes bash drop the line. Its input is empty.
 */
export function plainCommandLine(paths: DriverPaths, line: CommandLine, whole: boolean): string {
  const { nonce, tracing, command } = line;
  const begun = `builtin printf '%s\\n' ${begunNonce(nonce)} >${quote(paths.status)}`;
  const traced = tracing === '' ? '' : `builtin set -${tracing}; `;
  const run = whole ? `{ ${command}; }` : `builtin eval ${quote(command)}`;
  // `''`: what `$_` tells.
  return `${trapLine(paths, '')}; ${markLine(nonce)}${begun}; builtin : ''; ${traced}${run} </dev/null; ${reportLine(paths, nonce)}\n`;
}

/** Runs the command in the shell itself: reports that it begins, then `nonce status flags`. */
export function commandLine(paths: DriverPaths, line: CommandLine): string {
  const tracing = line.tracing === '' ? '' : `builtin set -${line.tracing}; `;
  // Under `set -e` a failing restore would end the shell.
  const restore = line.lastStatus === 0 || line.errexit ? '' : `(builtin exit ${line.lastStatus}); `;
  const evaluation = `builtin eval ${quote(`${restore}${tracing}${line.command}`)}`;
  // Begins with a plain word: after a syntax error in `eval` bash does not know `{` at the start of the next line.
  const begun = `builtin printf '%s\\n' ${begunNonce(line.nonce)} >${quote(paths.status)}`;
  return `${markLine(line.nonce)}${begun}; ${evaluation}; ${reportLine(paths, line.nonce)}\n`;
}

/**
 * A word bash reads as exactly `text`. Newlines stay themselves inside single quotes.
 */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function reportLine(paths: DriverPaths, nonce: string): string {
  // Tracing goes off here, inside the redirection, or the next line of the driver would show in the agent's output.
  return (
    `{ builtin printf '%s %d %s\\n' ${nonce} "$?" "$-" >${quote(paths.status)}; builtin set +xv; ` +
    `} >/dev/null 2>&1`
  );
}

/** `script`: what a bash that starts itself anew reads, below its folder; empty: its standard input. */
function trapLine(paths: DriverPaths, script: string = SCRIPT_NAME): string {
  const save = [
    'builtin declare -p',
    'builtin declare -f',
    'builtin declare -Fx',
    'builtin shopt -p',
    'builtin alias -p',
    'builtin trap -p',
    `builtin printf 'builtin cd -- %q\\n' "$OLDPWD" "$PWD"`,
    // Last: with `errexit` back on, a line that fails would end the shell.
    'builtin set +o',
  ].join('; ');
  // The signal may come inside of a loop whose streams lead elsewhere, or of our own report: the new bash has its own again.
  const output = quote(`${paths.folder}/${OUTPUT_NAME}`);
  const streams = script === '' ? '' : ` </dev/null >${output} 2>&1`;
  const handler =
    `{ ${save}; } >${quote(paths.state)} 2>/dev/null; builtin printf '${ABORTED}\\n' >${quote(paths.status)}; ` +
    `builtin cd -- ${quote(paths.folder)}; builtin exec /bin/bash ${script}${streams}`;
  return `builtin trap ${quote(handler)} ${ABORT_SIGNAL}`;
}
