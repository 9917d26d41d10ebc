/** A file that a case begins with. */
export type CaseFile =
  | { readonly text: string; readonly mode?: number }
  | { readonly hex: string }
  | { readonly link: string }
  | { readonly folder: true; readonly mode?: number }
  | { readonly fifo: true };

/** Calls of one tool, one after another, in a folder of their own: `DIR` in an input, its name `DIRNAME`. */
export interface ToolCase {
  readonly name: string;
  readonly files?: Readonly<Record<string, CaseFile>>;
  readonly calls: readonly unknown[];
  /** Files whose bytes count too, besides `f`. */
  readonly check?: readonly string[];
  /** Says nothing when run as root. */
  readonly unprivileged?: boolean;
  /** The order of a folder's entries is the file system's: lines are compared as a set. */
  readonly sorted?: boolean;
  /** The reference's shell breaks the answer, or the file system's order decides it: ours is another by intent. */
  readonly loose?: boolean;
  /** The reference waits until its time is over, or crashes; ours answers what it can at once. */
  readonly ends?: boolean;
  /** The reference waits for ever: not asked. */
  readonly hangs?: boolean;
  /** Seconds a command may take. Default 5. */
  readonly timeout?: number;
}

/** What a tool answered, in the shape of a `tool_result`; or that it raised something untyped, or never answered. */
export type Answer =
  | { readonly is_error: boolean; readonly content: string }
  | { readonly crash: string }
  | { readonly hang: true };

export interface GoldenCase {
  readonly name: string;
  /** Contents of more than 1,500 characters as `sha256 …`. */
  readonly answers: readonly Answer[];
  /** Bytes at the end, hexadecimal, by name; null: not there. */
  readonly files: Readonly<Record<string, string | null>>;
}
