/**
 * What a sandbox daemon and its callers say to each other. JSON over HTTP on the daemon's socket; pictures travel as
 * base64 inside content blocks, exactly as the Messages API carries them.
 */

/** Which results the tools give: `default` mends the reference's defects, `reference` reproduces it to the letter. */
export type Compat = 'default' | 'reference';

/** Pixels of the X screen. */
export interface DisplaySize {
  readonly width: number;
  readonly height: number;
}

export interface TextContent {
  readonly type: 'text';
  readonly text: string;
}

export interface ImageContent {
  readonly type: 'image';
  readonly source: { readonly type: 'base64'; readonly media_type: 'image/png'; readonly data: string };
}

export type ResultContent = TextContent | ImageContent;

/** A provider-defined tool as a request lists it, e.g. `{type: 'computer_20241022', name: 'computer', ...}`. */
export interface ToolDefinition {
  readonly type: string;
  readonly name: string;
  readonly display_width_px?: number;
  readonly display_height_px?: number;
  readonly display_number?: number | null;
}

/** One action under its key. The same key is never performed twice in the life of a sandbox. */
export interface ActionRequest {
  /** Unique within the sandbox; at most 256 characters. */
  readonly key: string;
  readonly tool: ToolDefinition;
  /** The model's tool input, unvalidated. */
  readonly input: unknown;
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

export type SandboxStatus = 'starting' | 'running' | 'stopped' | 'failed';

export interface SandboxInfo {
  /** `sbx_...` */
  readonly id: string;
  readonly status: SandboxStatus;
  readonly display: DisplaySize;
  readonly compat: Compat;
  readonly isolation: 'bubblewrap' | 'none' | 'container' | 'remote';
  /** RFC 3339. */
  readonly created_at: string;
  /** Changes whenever the computer inside was started anew: programs and the shell are gone then, files are kept. */
  readonly boot: string | null;
}

/** What `GET /health` of a daemon tells. */
export interface DaemonHealth {
  readonly id: string;
  readonly pid: number;
  /** null between two lives of the computer. */
  readonly boot: string | null;
  readonly isolation: SandboxInfo['isolation'];
  /** `reason` says why there is no desktop. */
  readonly display: { readonly available: boolean; readonly reason?: string };
  /** Keys whose actions run or wait, oldest first. */
  readonly pending: readonly string[];
}

/**
 * - `invalid_request`: the request names no key, tool or input as it must
 * - `key_reused`: the key stands for another action
 * - `storage_full`: the intent could not be written, so nothing was done
 * - `unavailable`: the computer could not be started, so nothing was done
 */
export type DaemonErrorCode = 'invalid_request' | 'key_reused' | 'storage_full' | 'unavailable' | 'not_found';
