import { MARK } from './command-processes.ts';

/**
 * The lines that drive the persistent bash. The command reaches bash as one quoted word for `eval`, and its end is
 * reported through a separate pipe with a nonce, so nothing a command consists of or prints can break the framing.
 * Every builtin is called through `builtin`, past functions and aliases of the agent's.
 */

/**
 * Stops a running command: bash traps it, saves its state and restarts itself. It is a real-time signal, so that nobody
 * else uses it.
 */
export const ABORT_SIGNAL = 44;
export const ABORTED = 'aborted';

export interface DriverPaths {
  /** The private folder of the shell. Bash is started in it, so that its messages begin with `bash: line 1:`. */
  readonly folder: string;
  /** The pipe through which bash reports. */
  readonly status: string;
  /** The file that holds the state while bash restarts itself. */
  readonly state: string;
}

/**
 * Marks the processes that the command starts; see CommandProcesses. A shell whose agent made the variable read-only
 * keeps the old mark.
 */
function markLine(nonce: string): string {
  return `builtin export ${MARK}=${nonce} 2>/dev/null || builtin :; `;
}

/** The pipe bash reads its script from, relative to the folder. Its name is what bash calls itself in messages. */
export const SCRIPT_NAME = 'bash';

/** The pipe of bash's output, relative to the folder. */
export const OUTPUT_NAME = 'out';

export interface CommandLine {
  readonly command: string;
  readonly nonce: string;
  /** The exit status of the previous command, which `$?` must still show. */
  readonly lastStatus: number;
  /** `x` and `v` when the agent had set them: they are off between commands. */
  readonly tracing: string;
  readonly errexit: boolean;
}

/**
 * The first line for a new bash sets the working directory and the traps and reports under `nonce`. Bash sends itself
 * the SIGINT that ended a command substitution, `$(…)`, and would end with it, so SIGINT is trapped.
 */
export function openingLine(paths: DriverPaths, home: string, nonce: string): string {
  const first = `builtin cd -- ${quote(home)}; builtin unset OLDPWD; builtin trap : INT`;
  return `${first}; ${trapLine(paths)}; ${reportLine(paths, nonce)}\n`;
}

/** The first line for a bash that restarted itself restores its state, then reports under `nonce`. */
export function reopeningLine(paths: DriverPaths, nonce: string): string {
  return `{ builtin source ${quote(paths.state)}; } >/dev/null 2>&1; ${trapLine(paths)}; ${reportLine(paths, nonce)}\n`;
}

/** The nonce a command reports when it begins: bash has read all of its line by then. */
export function begunNonce(nonce: string): string {
  return `begun-${nonce}`;
}

/**
 * The line for a bash that reads its script from standard input, as the reference's does, so that its messages name the
 * same line: one line for each of the command's, and nothing before the first. A `whole` command takes nothing of what
 * follows and stands in the line as it is. Any other goes through `eval`, which survives what makes bash drop the line.
 * Its input is empty.
 */
export function plainCommandLine(paths: DriverPaths, line: CommandLine, whole: boolean): string {
  const { nonce, tracing, command } = line;
  const begun = `builtin printf '%s\\n' ${begunNonce(nonce)} >${quote(paths.status)}`;
  const traced = tracing === '' ? '' : `builtin set -${tracing}; `;
  const run = whole ? `{ ${command}; }` : `builtin eval ${quote(command)}`;
  // The argument `''` is what `$_` shows.
  return `${trapLine(paths, '')}; ${markLine(nonce)}${begun}; builtin : ''; ${traced}${run} </dev/null; ${reportLine(paths, nonce)}\n`;
}

/** Runs the command in the shell itself and reports its begin, then `nonce status flags`. */
export function commandLine(paths: DriverPaths, line: CommandLine): string {
  const tracing = line.tracing === '' ? '' : `builtin set -${line.tracing}; `;
  // Under `set -e` a failing restore would end the shell.
  const restore = line.lastStatus === 0 || line.errexit ? '' : `(builtin exit ${line.lastStatus}); `;
  const evaluation = `builtin eval ${quote(`${restore}${tracing}${line.command}`)}`;
  // The line begins with a plain word: after a syntax error in `eval`, bash does not recognise `{` at the start of the
  // next line.
  const begun = `builtin printf '%s\\n' ${begunNonce(line.nonce)} >${quote(paths.status)}`;
  return `${markLine(line.nonce)}${begun}; ${evaluation}; ${reportLine(paths, line.nonce)}\n`;
}

/** Quotes `text` as one word for bash. Newlines stay themselves inside single quotes. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function reportLine(paths: DriverPaths, nonce: string): string {
  // Tracing goes off inside the redirection, else the next line of the driver would show in the agent's output.
  return (
    `{ builtin printf '%s %d %s\\n' ${nonce} "$?" "$-" >${quote(paths.status)}; builtin set +xv; ` +
    `} >/dev/null 2>&1`
  );
}

/** `script` is what a restarted bash reads, below its folder; when empty, it is its standard input. */
function trapLine(paths: DriverPaths, script: string = SCRIPT_NAME): string {
  const save = [
    'builtin declare -p',
    'builtin declare -f',
    'builtin declare -Fx',
    'builtin shopt -p',
    'builtin alias -p',
    'builtin trap -p',
    `builtin printf 'builtin cd -- %q\\n' "$OLDPWD" "$PWD"`,
    // This comes last: with `errexit` back on, a line that fails would end the shell.
    'builtin set +o',
  ].join('; ');
  // The signal may arrive inside a loop whose streams are redirected, or inside our own report, so the new bash gets
  // its own streams again.
  const output = quote(`${paths.folder}/${OUTPUT_NAME}`);
  const streams = script === '' ? '' : ` </dev/null >${output} 2>&1`;
  const handler =
    `{ ${save}; } >${quote(paths.state)} 2>/dev/null; builtin printf '${ABORTED}\\n' >${quote(paths.status)}; ` +
    `builtin cd -- ${quote(paths.folder)}; builtin exec /bin/bash ${script}${streams}`;
  return `builtin trap ${quote(handler)} ${ABORT_SIGNAL}`;
}
