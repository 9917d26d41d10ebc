/**
 * The inside of a sandbox as its daemon sees it: programs and files in the agent's own namespaces. Everything here happens
 * inside the isolation, with the agent's rights, its mounts and its view of symbolic links.
 */
export interface Guest {
  readonly files: GuestFiles;
  /** Runs a program to its end. Never through a shell: `argv[0]` is found on PATH. */
  run(argv: readonly string[], options?: RunOptions): Promise<RunResult>;
  /** Starts a program and leaves it running (a desktop program); output is discarded. Gives its pid inside the sandbox. */
  launch(
    argv: readonly string[],
    options?: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string },
  ): Promise<number>;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Milliseconds until the whole process group is killed. Default 30,000. */
  readonly timeoutMs?: number;
  /** The program is ended once it has put out more than that; what it had put out by then is answered. */
  readonly stopAfterBytes?: number;
  readonly signal?: AbortSignal;
}

export interface RunResult {
  /** null when a signal or the timeout ended it. */
  readonly code: number | null;
  readonly stdout: Uint8Array;
  readonly stderr: Uint8Array;
  readonly timedOut: boolean;
}

export type GuestFileKind = 'file' | 'directory' | 'other';

/** File access inside the sandbox. Paths are absolute. Failures are GuestFileError with the system's code (`ENOENT`, ...). */
export interface GuestFiles {
  /** Follows symbolic links; null when nothing is there. */
  stat(path: string): Promise<{ readonly kind: GuestFileKind; readonly size: number } | null>;
  /** Whole file; refuses other kinds (a FIFO never blocks) and files above `maxBytes` (default 32 MiB, code `EFBIG`). */
  read(path: string, maxBytes?: number): Promise<Uint8Array>;
  /** Replaces or creates; parent folders are made. Keeps the mode of an existing file. */
  write(path: string, data: Uint8Array): Promise<void>;
  /** Non-hidden entries below `path` up to `depth` levels, as absolute paths in the order `find` prints them sorted by name; `path` itself first. Symbolic links are listed, not followed, except `path` itself. */
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
