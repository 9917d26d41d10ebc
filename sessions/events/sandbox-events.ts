import type { NetworkRequest, PersonInput, TakeoverEnd, TextContent } from '@steadyhand/contracts';

/**
 * What happens in a session's sandbox beside the tools: events of our own, beside the SDK's union, whose types all begin with
 * `sandbox.`. They belong to the audit trail; of them the model is shown the content of `sandbox.takeover_ended` alone.
 * `Bytes` says how pictures stand in it.
 */
export interface SandboxEventBodies<Bytes> {
  /** A connection that a program inside made or tried to make through the egress proxy. */
  'sandbox.network_request': NetworkRequest;
  /** A person has taken mouse and keyboard; the agent waits. */
  'sandbox.takeover_started': { readonly takeover_id: string };
  /** What the person did, in order; several to an event. Typed text stands as `key` inputs. */
  'sandbox.takeover_input': { readonly takeover_id: string; readonly inputs: readonly PersonInput[] };
  'sandbox.takeover_ended': TakeoverEnd & {
    readonly takeover_id: string;
    /** What the model is told: that somebody was there, and the screen afterwards. */
    readonly content: readonly (TextContent | SandboxPicture<Bytes>)[];
  };
}

export interface SandboxPicture<Bytes> {
  readonly type: 'image';
  readonly source: Bytes;
}

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
