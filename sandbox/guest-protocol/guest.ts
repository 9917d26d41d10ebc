/**
 * The inside of a sandbox as its daemon sees it: programs and files in the agent's own namespaces. Everything here
 * happens inside the isolation, with the agent's rights, its mounts and its view of symbolic links.
 *
 * @example const { stdout } = await guest.run(['uname', '-r']);
 */
export interface Guest {
  readonly files: GuestFiles;
  /** Runs a program to its end. No shell is involved: `argv[0]` is looked up on PATH. */
  run(argv: readonly string[], options?: RunOptions): Promise<RunResult>;
  /**
   * Starts a program (a desktop program) and leaves it running. Its output is discarded. Returns its pid inside the
   * sandbox.
   */
  launch(
    argv: readonly string[],
    options?: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string },
  ): Promise<number>;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Milliseconds after which the whole process group is killed. The default is 30,000. */
  readonly timeoutMs?: number;
  /** The program is ended once it has written more bytes than that; what it had written by then is returned. */
  readonly stopAfterBytes?: number;
  readonly signal?: AbortSignal;
}

export interface RunResult {
  /** This is null when a signal or the timeout ended the program. */
  readonly code: number | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly timedOut: boolean;
}

export type GuestFileKind = 'file' | 'directory' | 'other';

/**
 * File access inside the sandbox. Paths are absolute. Failures are GuestFileError with the system's code (`ENOENT`,
 * ...).
 */
export interface GuestFiles {
  /** Follows symbolic links. Returns null when nothing is there. */
  stat(path: string): Promise<{ readonly kind: GuestFileKind; readonly size: number } | null>;
  /**
   * Reads a whole file. It refuses other kinds (so a FIFO never blocks) and files above `maxBytes` (32 MiB by default,
   * code `EFBIG`).
   */
  read(path: string, maxBytes?: number): Promise<Uint8Array>;
  /** Replaces or creates a file and makes its parent folders. The mode of an existing file is kept. */
  write(path: string, data: Uint8Array): Promise<void>;
  /**
   * Lists the entries below `path` that are not hidden, down to `depth` levels, as absolute paths in the order of
   * `find` sorted by name; `path` itself comes first. Symbolic links are listed but not followed, except for `path`
   * itself.
   */
  walk(path: string, depth: number): Promise<readonly string[]>;
}

export class GuestFileError extends Error {
  override readonly name = 'GuestFileError';
  readonly code: string;
  readonly path: string;
  constructor(code: string, path: string, message: string) {
    super(message);
    this.code = code;
    this.path = path;
  }
}

/** The guest refused a call for another reason than a file. */
export class GuestCallError extends Error {
  override readonly name = 'GuestCallError';
  /** The system's code (`ENOENT`, ...) or `EUNKNOWN`. */
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
