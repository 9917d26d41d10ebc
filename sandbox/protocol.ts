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

/**
 * What the programs inside may reach, always through the egress proxy: a sandbox has no other way out. By host name; the
 * host's own addresses, private networks and link-local ones (metadata services) are refused in each, unless the operator of
 * the machine lets sandboxes reach them.
 */
export type Networking =
  | { readonly type: 'unrestricted' }
  | {
      readonly type: 'limited';
      /** Names, `*.example.com` for all below one, with `:port` to allow another port than 80 and 443. */
      readonly allowed_hosts: readonly string[];
      /** Also the public registries of apt, npm, pip, cargo, gem and go. */
      readonly allow_package_managers: boolean;
      readonly allow_mcp_servers: boolean;
    }
  | { readonly type: 'none' };

/** Packages that a sandbox's programs find installed, by package manager; each may carry its manager's version mark. */
export interface Packages {
  readonly apt: readonly string[];
  readonly cargo: readonly string[];
  readonly gem: readonly string[];
  readonly go: readonly string[];
  readonly npm: readonly string[];
  readonly pip: readonly string[];
}

/** What everything inside may take together; null: as much as the machine gives. Held by cgroup where there is one. */
export interface SandboxLimits {
  readonly memory_mib: number | null;
  readonly processes: number | null;
  /** Of the workspace and the outputs. */
  readonly disk_mib: number | null;
  /** Files and folders in them. */
  readonly files: number | null;
  readonly cpus: number | null;
}

/** The window that has the keyboard, in its program's own words: title and X class (`Xterm`, `Chromium`); either may be empty. */
export interface ActiveWindow {
  readonly title: string;
  readonly class: string;
}

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
/** A workspace as it was, whole. */
export interface SnapshotInfo {
  /** `snap_...` */
  readonly id: string;
  /** The sandbox that it was taken of, which may be gone; empty where that cannot be read. */
  readonly sandbox_id: string;
  /** `failed`: its record is damaged, so nothing is known of it but its id; it can be deleted. */
  readonly status: 'ready' | 'failed';
  /** Why it is `failed`; null otherwise. */
  readonly reason: string | null;
  /** RFC 3339. */
  readonly created_at: string;
  readonly entries: number;
  /** Of regular files, holes counted. */
  readonly size_bytes: number;
  /** How many entries were left out: FIFOs, sockets, what may not be read, what changed its kind meanwhile. */
  readonly skipped: number;
  /** The first hundred of them, relative to the workspace. */
  readonly skipped_paths: readonly string[];
}

/** A file that a caller has mounted: its relative path below `/mnt/session/uploads`, and what names its content. */
export interface MountedFile {
  readonly path: string;
  readonly id: string;
}

/** What keeps a sandbox apart from the machine it runs on; `remote` is a daemon elsewhere, whatever keeps that apart. */
export type IsolationKind = 'bubblewrap' | 'none' | 'container' | 'remote';

/** `failed`: a file of its own is damaged, so it does not start; it can be deleted. */
export type SandboxStatus = 'starting' | 'running' | 'stopped' | 'failed';

export interface SandboxInfo {
  /** `sbx_...` */
  readonly id: string;
  readonly status: SandboxStatus;
  readonly display: DisplaySize;
  readonly compat: Compat;
  readonly isolation: IsolationKind;
  readonly networking: Networking;
  /** Absent where it was created without. */
  readonly policy?: unknown;
  readonly limits: SandboxLimits;
  /** RFC 3339. */
  readonly created_at: string;
  /** Changes whenever the computer inside was started anew: programs and the shell are gone then, files are kept. */
  readonly boot: string | null;
  /** Why it is `failed`; null otherwise. */
  readonly reason: string | null;
}

/** A sandbox whose record is damaged: what it was created with cannot be read. It can be deleted. */
export interface DamagedSandboxInfo {
  readonly id: string;
  readonly status: 'failed';
  readonly display: null;
  readonly compat: null;
  readonly isolation: null;
  readonly networking: null;
  readonly limits: null;
  /** RFC 3339; as its folder says. */
  readonly created_at: string;
  readonly boot: null;
  /** Names the file and what is wrong with it. */
  readonly reason: string;
}

/** What `GET /health` of a daemon tells. */
export interface DaemonHealth {
  readonly id: string;
  readonly pid: number;
  /** null between two lives of the computer. */
  readonly boot: string | null;
  readonly isolation: IsolationKind;
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
 * - `not_found`: no such route, file, snapshot or whatever was asked for by name
 * - `window_changed`: another window has the keyboard than `only_if_window` says; nothing was done
 * - `too_large`: more than is taken at once
 * - `conflict`: not in the state the computer is in, e.g. a second takeover
 * - `damaged`: a file of the sandbox's own, its ledger above all, is not what was written; nothing is done any more
 */
export type DaemonErrorCode =
  | 'invalid_request'
  | 'key_reused'
  | 'storage_full'
  | 'unavailable'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'window_changed'
  | 'damaged';

/** One file of a screen recording: WebM, VP8. */
export interface RecordingSegment {
  /** Counts up from 1. */
  readonly number: number;
  /** RFC 3339. */
  readonly started_at: string;
  readonly size_bytes: number;
  /** It still grows. */
  readonly active: boolean;
}

/** The recording of a sandbox's screen. */
export interface ScreenRecording {
  readonly status: 'recording' | 'stopped';
  /** Why nothing is written although it is on; null where all is well. */
  readonly error: string | null;
  /** Of all segments together; above it the oldest are deleted. */
  readonly limit_bytes: number;
  /** Oldest first. */
  readonly segments: readonly RecordingSegment[];
}

/** How a person takes mouse and keyboard. */
export interface TakeoverStart {
  readonly id: string;
  /** `no_keys`: that keys were pressed is recorded, which ones is not. */
  readonly record: 'full' | 'no_keys';
  /** Without a connection that may act for so long, the takeover ends. */
  readonly disconnect_after_s: number;
  readonly expires_after_s: number;
}

export interface TakeoverEnd {
  readonly reason: 'handed_back' | 'disconnected' | 'expired';
  readonly duration_ms: number;
}

/** A person has, or had, mouse and keyboard; the agent's actions are refused meanwhile. Times are RFC 3339. */
export interface Takeover {
  readonly id: string;
  readonly record: 'full' | 'no_keys';
  readonly started_at: string;
  readonly expires_at: string;
  readonly disconnect_after_s: number;
  readonly ended: TakeoverEnd | null;
}

/** What a person does, in screen pixels; `at_ms` counts from the takeover's start. Typed text stands as keys. */
export type PersonInput =
  | {
      readonly type: 'button';
      readonly at_ms: number;
      /** X's numbers: 1 left, 2 middle, 3 right, 4 to 7 the wheel up, down, left, right. */
      readonly button: number;
      readonly down: boolean;
      readonly x: number;
      readonly y: number;
    }
  | { readonly type: 'move'; readonly at_ms: number; readonly x: number; readonly y: number }
  | { readonly type: 'key'; readonly at_ms: number; readonly keysym: string; readonly down: boolean }
  | { readonly type: 'clipboard'; readonly at_ms: number; readonly characters: number };

/** The newest takeover, null when there was none, with some of its inputs; the next ones have the number `next`. */
export interface TakeoverPage {
  readonly takeover: Takeover | null;
  readonly inputs: readonly PersonInput[];
  readonly next: number;
  readonly more: boolean;
}
