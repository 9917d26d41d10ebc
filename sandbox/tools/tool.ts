import type { PictureType, ToolDefinition } from '@steadyhand/contracts';

/** What a tool returns, in the reference's terms; `tool-result.ts` turns it into content blocks. */
export interface ToolOutput {
  /** Standard output, or the tool's answer. */
  readonly output?: string;
  /** A text here makes the result an error. */
  readonly error?: string;
  /** A message of the tool itself, not of the program it ran; it is shown as `<system>...</system>`. */
  readonly system?: string;
  /** A message of the computer, which comes before the rest in a `<system>` line of its own. */
  readonly notice?: string;
  /** The bytes of a PNG picture, unless `imageType` says otherwise. */
  readonly image?: Uint8Array;
  readonly imageType?: PictureType;
}

export interface ToolContext {
  /** It is aborted by an interrupt: the tool stops at once and answers with what there is. */
  readonly signal: AbortSignal;
  readonly definition: ToolDefinition;
  /** Variables in the environment of this command; the next one does not see them. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A failure that is reported to the model and is never a crash. The message is the tool's exact text. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** One of the computer's tools. Calls are made one at a time. */
export interface Tool {
  /** Runs the model's input; throws ToolError for bad input. */
  run(input: unknown, context: ToolContext): Promise<ToolOutput>;
}
