export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

/** What a model can look at. The computer's own pictures are PNG. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export interface ImageContent {
  readonly type: 'image';
  readonly source: { readonly type: 'base64'; readonly media_type: PictureType; readonly data: string };
}

export type ResultContent = TextContent | ImageContent;

/** The type of the agent toolset, whose members are `read`, `write`, `edit`, `glob`, `grep`, `bash` and `web_fetch`. */
export const AGENT_TOOLSET = 'agent_toolset_20260401';

/**
 * A provider-defined tool as a request lists it, e.g. `{type: 'computer_20241022', name: 'computer', ...}`. A toolset has no
 * name; its member that is used stands there: `{type: 'computer_toolset_20260801', name: 'left_click'}`,
 * `{type: 'agent_toolset_20260401', name: 'read'}`.
 */
export interface ToolDefinition {
  readonly type: string;
  readonly name: string;
  readonly display_width_px?: number;
  readonly display_height_px?: number;
  readonly display_number?: number | null;
  /** Of `computer_20251124`: whether the model was offered `zoom`. */
  readonly enable_zoom?: boolean;
  /** Of `text_editor_20250728`: characters of a file that a view shows. Default: 16,000. */
  readonly max_characters?: number | null;
  /** Of the agent toolset's `web_fetch`: the only hosts that are fetched from, with all names below each. */
  readonly allowed_domains?: readonly string[];
  /** Of `web_fetch`: hosts that are never fetched from, with all names below each. */
  readonly blocked_domains?: readonly string[];
  /** Of `web_fetch`: tokens of fetched text that a result holds at most, at four characters each. */
  readonly max_content_tokens?: number | null;
}

/** One action under its key. The same key is never performed twice in the life of a sandbox. */
export interface ActionRequest {
  /** Unique within the sandbox; at most 256 characters. */
  readonly key: string;
  readonly tool: ToolDefinition;
  /** The model's tool input, unvalidated. */
  readonly input: unknown;
  /**
   * Perform it only while the window with this title has the keyboard (null: while none has), and refuse with `window_changed`
   * otherwise. No part of what the key stands for: a recorded outcome is answered whatever the window.
   */
  readonly only_if_window?: string | null;
  /**
   * Values that the input refers to by name, put in right before the tool runs and taken out of whatever it gives back. No part
   * of what the key stands for either, and never recorded.
   */
  readonly secrets?: readonly ActionSecret[];
  /** It was interrupted: what is recorded or under way is answered, and it is not begun. */
  readonly interrupted?: boolean;
}

export type SecretTool = 'computer' | 'editor' | 'bash';

/** A value that an action may use and nobody is to see. */
export interface ActionSecret {
  readonly name: string;
  readonly value: string;
  /** The tools that may use it. */
  readonly tools: readonly SecretTool[];
}

/**
 * - `done`: performed now or earlier under this key; the recorded result. A tool error is also `done`, with `is_error`.
 * - `unknown`: an earlier attempt wrote its intent and no outcome; whether it took effect is not known, and it was not repeated.
 * - `interrupted`: stopped by `interrupt` before it ended; `content` holds what it had put out.
 */
export type ActionOutcome =
  | {
      readonly status: 'done' | 'interrupted';
      readonly is_error: boolean;
      readonly content: readonly ResultContent[] | string;
    }
  | { readonly status: 'unknown'; readonly reason: string };

/** What the API wants of a computer toolset's uses that come after a failed one in the same reply. */
export const NOT_EXECUTED = 'Not executed: an earlier computer action in this turn failed.';
