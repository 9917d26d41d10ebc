/**
 * What happens in a session's sandbox beside the tools: events of our own, beside the SDK's union, whose types all begin with
 * `sandbox.`. They belong to the audit trail; of them the model is shown the content of `sandbox.takeover_ended` alone.
 * `Bytes` says how pictures stand in it.
 */
export interface SandboxEventBodies<Bytes> {
  /** A connection that a program inside made or tried to make through the egress proxy. */
  'sandbox.network_request': {
    /** Counts the sandbox's requests from 1. */
    readonly number: number;
    /** When it began, RFC 3339; the event itself comes when it is over. */
    readonly at: string;
    readonly host: string;
    readonly port: number;
    /** `CONNECT`, or the HTTP method of a plain request. */
    readonly method: string;
    readonly verdict: 'allowed' | 'denied';
    /** Why it was denied, or how it failed; null when neither. */
    readonly reason: string | null;
    readonly bytes_sent: number;
    readonly bytes_received: number;
    readonly duration_ms: number;
  };
  /** A person has taken mouse and keyboard; the agent waits. */
  'sandbox.takeover_started': { readonly takeover_id: string };
  /** What the person did, in order; several to an event. Typed text stands as `key` inputs. */
  'sandbox.takeover_input': { readonly takeover_id: string; readonly inputs: readonly PersonInput[] };
  'sandbox.takeover_ended': {
    readonly takeover_id: string;
    readonly reason: 'handed_back' | 'disconnected' | 'expired';
    readonly duration_ms: number;
    /** What the model is told: that somebody was there, and the screen afterwards. */
    readonly content: readonly (SandboxText | SandboxPicture<Bytes>)[];
  };
}

export interface SandboxText {
  readonly type: 'text';
  readonly text: string;
}
export interface SandboxPicture<Bytes> {
  readonly type: 'image';
  readonly source: Bytes;
}

/** In screen pixels; `at_ms` counts from the takeover's start. */
export type PersonInput =
  | {
      readonly type: 'button';
      readonly at_ms: number;
      readonly button: number;
      readonly down: boolean;
      readonly x: number;
      readonly y: number;
    }
  | { readonly type: 'move'; readonly at_ms: number; readonly x: number; readonly y: number }
  | { readonly type: 'key'; readonly at_ms: number; readonly keysym: string; readonly down: boolean }
  | { readonly type: 'clipboard'; readonly at_ms: number; readonly characters: number };

/** A picture as clients read it: a link where they asked for links. */
type Readable =
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string };

/** As clients read them. */
export type SandboxEvent = {
  [T in keyof SandboxEventBodies<Readable>]: {
    readonly id: string;
    readonly type: T;
    readonly processed_at: string;
  } & SandboxEventBodies<Readable>[T];
}[keyof SandboxEventBodies<Readable>];
