/** A script as data: what `parseScript` makes of the YAML and `nextReply` walks through. */

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
  /** Tool uses of one reply, with what is said beside them. */
  | { readonly kind: 'use'; readonly uses: readonly PlannedUse[]; readonly says: readonly string[] }
  | { readonly kind: 'say'; readonly text: string }
  /** The newest result holds this text, or its picture shows it. */
  | { readonly kind: 'expect_text'; readonly text: string }
  /** The newest result ends with this exit code, which its command was made to print. */
  | { readonly kind: 'expect_exit'; readonly code: number }
  /** Clicks on a text on the screen. This and the two below need a text recogniser. */
  | { readonly kind: 'click'; readonly target: Target; readonly double: boolean }
  /** Clicks into the field that a text on the screen names, and types. */
  | { readonly kind: 'type_into'; readonly target: Target; readonly text: string }
  /** Looks at the screen until a text is there. */
  | { readonly kind: 'wait_for'; readonly text: string; readonly timeoutMs: number };

/** A text on the screen, and which of several, from 1. */
export interface Target {
  readonly text: string;
  readonly nth: number;
}

export interface Step {
  /** Name as in the script: `bash`, `expect`, ... */
  readonly label: string;
  /** Line of the script's text, from 1. */
  readonly line: number;
  readonly action: StepAction;
  /** A failure of this step does not end the turn. */
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
 * A command that prints its own exit code. In the command's call and not in one of its own: tools differ in whether `$?`
 * outlives a call, and within a call it always holds. On a line of its own, because the command may end in a comment
 * or a here-document.
 */
export function reportingExit(command: string): string {
  return `${command}\necho "[exit code $?]"`;
}

/** The exit code that such a command printed last, or null. */
export function reportedExit(output: string): number | null {
  const code = [...output.matchAll(EXIT_MARK)].at(-1)?.[1];
  return code === undefined ? null : Number(code);
}
