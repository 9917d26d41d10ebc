export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

/** The types of pictures that a model can read. Screenshots are PNG. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export interface ImageContent {
  readonly type: 'image';
  readonly source: { readonly type: 'base64'; readonly media_type: PictureType; readonly data: string };
}

export type ResultContent = TextContent | ImageContent;

/** The type of the agent toolset, whose members are `read`, `write`, `edit`, `glob`, `grep`, `bash` and `web_fetch`. */
export const AGENT_TOOLSET = 'agent_toolset_20260401';

/**
 * A provider-defined tool as a request lists it, e.g. `{type: 'computer_20241022', name: 'computer', ...}`. A toolset
 * has no name, so `name` is that of the member in use: `{type: 'computer_toolset_20260801', name: 'left_click'}`,
 * `{type: 'agent_toolset_20260401', name: 'read'}`.
 */
export interface ToolDefinition {
  readonly type: string;
  readonly name: string;
  readonly display_width_px?: number;
  readonly display_height_px?: number;
  readonly display_number?: number | null;
  /** For `computer_20251124`: whether the model was offered `zoom`. */
  readonly enable_zoom?: boolean;
  /** For `text_editor_20250728`: how many characters of a file a view shows. Default: 16,000. */
  readonly max_characters?: number | null;
  /** For the agent toolset's `web_fetch`: the only hosts that are fetched from, each with its subdomains. */
  readonly allowed_domains?: readonly string[];
  /** For `web_fetch`: hosts that are never fetched from, each with its subdomains. */
  readonly blocked_domains?: readonly string[];
  /** For `web_fetch`: how many tokens of fetched text a result may hold, at four characters each. */
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
   * The action is performed only while the window with this title has the keyboard (null: while none has), and is
   * refused with `window_changed` otherwise. A recorded outcome is answered whichever window has it: the key does not
   * cover this.
   */
  readonly only_if_window?: string | null;
  /**
   * Values that the input refers to by name. They are put in right before the tool runs and taken out of its result;
   * they are never recorded, and the key does not cover them.
   */
  readonly secrets?: readonly ActionSecret[];
  /** The action was interrupted: a recorded or running one is answered, and none is begun. */
  readonly interrupted?: boolean;
}

export type SecretTool = 'computer' | 'editor' | 'bash';

/** A value that an action may use and that must appear nowhere. */
export interface ActionSecret {
  readonly name: string;
  readonly value: string;
  /** The tools that may use it. */
  readonly tools: readonly SecretTool[];
}

/**
 * - `done`: the action was performed now or earlier under this key, with this result. A tool's error is a result with
 *   `is_error`.
 * - `unknown`: an earlier attempt wrote its intent and no outcome. Whether it took effect is not known; it was not
 *   repeated.
 * - `interrupted`: `interrupt` stopped the action before it ended; `content` holds its output up to then.
 */
export type ActionOutcome =
  | {
      readonly status: 'done' | 'interrupted';
      readonly is_error: boolean;
      readonly content: readonly ResultContent[] | string;
    }
  | { readonly status: 'unknown'; readonly reason: string };

/** The result that the API expects for uses of a computer toolset that follow a failed one in the same reply. */
export const NOT_EXECUTED = 'Not executed: an earlier computer action in this turn failed.';

/** An action, and what has to be known to decide whether it may be performed. */
export interface GuardedAction<Outcome> {
  /** Title of the window that has the keyboard; null where there is none, and where there is no display. */
  windowTitle(): Promise<string | null>;
  /** Whether the action was begun before, under its key. No rule is applied to it then; its outcome is only asked for. */
  isKnown(): Promise<boolean>;
  /**
   * With a title the action is performed only while that window has the keyboard; otherwise this rejects with SandboxError
   * `window_changed`, and nothing was done.
   */
  perform(onlyIfWindow?: string | null): Promise<Outcome>;
}
