/** The persistent bash of a sandbox: its working directory, variables and functions live from call to call. */
export interface GuestShell {
  /** Runs a command in the shell. An abort stops it as a timeout would. Calls are made one at a time. */
  run(request: ShellRequest, signal: AbortSignal): Promise<ShellResult>;
  /** Ends the shell with everything it started. The next command begins a new shell in the home folder. */
  restart(): Promise<void>;
}

export interface ShellRequest {
  readonly command: string;
  /** These variables are set for this command alone and are gone from the shell when it has ended. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds until the command and its processes are killed. */
  readonly timeoutMs: number;
  /**
   * `merged` puts both streams into `stdout` in the order written, as a terminal shows them. This is fixed when the
   * shell starts.
   */
  readonly streams: 'merged' | 'separate';
  /** The number of characters kept of each stream; `null` keeps at most 2 Mi. */
  readonly keepCharacters: number | null;
}

export interface ShellResult {
  /**
   * - `completed`: `status` is the command's exit status; the shell lives on.
   * - `exited`: bash itself ended (`exit`, `exec`, a fatal error, a signal); the next call starts a new one.
   * - `timeout`, `interrupted`: the command was stopped; `stdout` and `stderr` hold what it had put out.
   */
  readonly ended: 'completed' | 'exited' | 'timeout' | 'interrupted';
  /**
   * The exit status; after an `exited` by a signal it is the negative signal number, and it is null when the command
   * was stopped.
   */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether the shell traces its commands (`set -x`) after this one. */
  readonly traced: boolean;
  /** After a stop this is false when the shell could not be brought back, and the next call starts a new one. */
  readonly shellKept: boolean;
  /** After a stop these are programs that may belong to the command and still run, as `name (pid N)`. */
  readonly left: readonly string[];
  /** These in-memory folders were full while the command ran, with their sizes in MiB. Each is reported once. */
  readonly full: readonly { readonly path: string; readonly mib: number }[];
}
