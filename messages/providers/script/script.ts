/** A script as data: `parseScript` makes it of the YAML, and `nextReply` goes through it. */

/** How long `wait_for` waits unless it is told, and the longest that it may wait, in seconds. */
export const WAIT_S = 30;
export const LONGEST_WAIT_S = 600;

/** The provider-defined tool that a step needs, by the beginning of its type, or a custom tool by its name. */
export type ToolNeed = { readonly family: 'bash' | 'text_editor' | 'computer' } | { readonly name: string };

/** One tool use that a step asks for. */
export interface PlannedUse {
  readonly label: string;
  readonly need: ToolNeed;
  readonly input: Readonly<Record<string, unknown>>;
  readonly orContinue: boolean;
}

export type StepAction =
  /** The tool uses and texts of one reply. */
  | { readonly kind: 'use'; readonly uses: readonly PlannedUse[]; readonly says: readonly string[] }
  | { readonly kind: 'say'; readonly text: string }
  /** Expects that the newest result holds a text, or that its picture shows it. */
  | { readonly kind: 'expect_text'; readonly text: string }
  /** Expects an exit code, which the command was made to print. */
  | { readonly kind: 'expect_exit'; readonly code: number }
  /** Clicks on a text on the screen. This and the two kinds below need a text recognizer. */
  | { readonly kind: 'click'; readonly target: Target; readonly double: boolean }
  /** Clicks into the field that a text on the screen names, and types. */
  | { readonly kind: 'type_into'; readonly target: Target; readonly text: string }
  /** Looks at the screen until a text is there. */
  | { readonly kind: 'wait_for'; readonly text: string; readonly timeoutMs: number };

/** A text on the screen, and the number of the one among several, from 1. */
export interface Target {
  readonly text: string;
  readonly nth: number;
}

export interface Step {
  /** The name in the script, such as `bash` or `expect`. */
  readonly label: string;
  /** Line of the script's text, from 1. */
  readonly line: number;
  readonly action: StepAction;
  /** Whether the script goes on after a failure of this step. */
  readonly orContinue: boolean;
}

/** The text cannot be run as a script; the message names the line. */
export class ScriptProblemError extends Error {
  override readonly name = 'ScriptProblemError';
  readonly line: number;
  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
    this.line = line;
  }
}

const EXIT_MARK = /\[exit code (\d+)\]/g;

/**
 * Makes a command print its own exit code. The `echo` is part of the same call, since not every tool keeps `$?` between
 * calls. It has a line of its own, since the command may end in a comment or a here-document.
 */
export function reportingExit(command: string): string {
  return `${command}\necho "[exit code $?]"`;
}

/** The last exit code that such a command printed, or null. */
export function reportedExit(output: string): number | null {
  const code = [...output.matchAll(EXIT_MARK)].at(-1)?.[1];
  return code === undefined ? null : Number(code);
}
