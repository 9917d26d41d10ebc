import type { PictureType, ToolDefinition } from '@steadyhand/contracts';

/** What a tool gives back, in the reference's terms; `tool-result.ts` turns it into content blocks. */
export interface ToolOutput {
  /** Standard output or the tool's answer. */
  readonly output?: string;
  /** Makes the result an error. */
  readonly error?: string;
  /** Said by the tool itself, not by what it ran; shown as `<system>...</system>`. */
  readonly system?: string;
  /** PNG bytes, unless `imageType` says otherwise. */
  readonly image?: Uint8Array;
  readonly imageType?: PictureType;
}

export interface ToolContext {
  /** Aborted by an interrupt: stop at once and answer with what there is. */
  readonly signal: AbortSignal;
  readonly definition: ToolDefinition;
  /** Variables that a command finds in its environment, and the next one does not. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** A failure the model is told about, never a crash. The message is the tool's exact text. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** One of the computer's tools. Calls are made one at a time. */
export interface Tool {
  /** Runs the model's input; throws ToolError for bad input. */
  run(input: unknown, context: ToolContext): Promise<ToolOutput>;
}
