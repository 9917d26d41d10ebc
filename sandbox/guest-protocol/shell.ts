/** The persistent bash of a sandbox: one shell whose working directory, variables and functions live from call to call. */
export interface GuestShell {
  /** Runs a command in the shell; an abort stops it as a timeout would. Calls are made one at a time. */
  run(request: ShellRequest, signal: AbortSignal): Promise<ShellResult>;
  /** Ends the shell with everything it started; the next command begins a new one in the home folder. */
  restart(): Promise<void>;
}

export interface ShellRequest {
  readonly command: string;
  /** Variables for this command alone: they are gone from the shell when it has ended. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds until the command and its processes are killed. */
  readonly timeoutMs: number;
  /** `merged`: both streams in the order written, as a terminal shows them, in `stdout`. Fixed when the shell starts. */
  readonly streams: 'merged' | 'separate';
  /** Characters kept of each stream; `null` keeps 2 Mi at most. */
  readonly keepCharacters: number | null;
}

export interface ShellResult {
  /**
   * - `completed`: `status` is the command's exit status; the shell lives on.
   * - `exited`: bash itself ended (`exit`, `exec`, a fatal error, a signal); the next call starts a new one.
   * - `timeout`, `interrupted`: the command was stopped; `stdout` and `stderr` hold what it had put out.
   */
  readonly ended: 'completed' | 'exited' | 'timeout' | 'interrupted';
  /** Exit status; for `exited` by a signal the negative signal number; null when the command was stopped. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether the shell traces its commands (`set -x`) when this one has ended. */
  readonly traced: boolean;
  /** After a stop: false when the shell could not be brought back and the next call starts a new one. */
  readonly shellKept: boolean;
  /** After a stop: programs that may be the command's and live on, `name (pid N)`. */
  readonly left: readonly string[];
  /** Folders of the computer's memory that were full while the command ran, and their sizes in MiB; each is told once. */
  readonly full: readonly { readonly path: string; readonly mib: number }[];
}
