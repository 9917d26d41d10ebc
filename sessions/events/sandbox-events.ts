import type { NetworkRequest, PersonInput, TakeoverEnd, TextContent } from '@steadyhand/contracts';

/**
 * Events in a session's sandbox beside its tools. Their types begin with `sandbox.` and are not in the SDK's union.
 * They belong to the audit trail; the model is shown only the content of `sandbox.takeover_ended`. `Bytes` is the form
 * of pictures.
 */
export interface SandboxEventBodies<Bytes> {
  /** A connection that a program made or tried to make through the egress proxy. */
  'sandbox.network_request': NetworkRequest;
  /** A takeover has begun; the agent waits. */
  'sandbox.takeover_started': { readonly takeover_id: string };
  /** The person's inputs, in order, several to an event. Typed text is recorded as `key` inputs. */
  'sandbox.takeover_input': { readonly takeover_id: string; readonly inputs: readonly PersonInput[] };
  'sandbox.takeover_ended': TakeoverEnd & {
    readonly takeover_id: string;
    /** What the model is shown: a note about the takeover, and the screen afterwards. */
    readonly content: readonly (TextContent | SandboxPicture<Bytes>)[];
  };
}

interface SandboxPicture<Bytes> {
  readonly type: 'image';
  readonly source: Bytes;
}

/** A picture as clients read it; a link where they asked for links. */
type Readable =
  | { readonly type: 'base64'; readonly media_type: string; readonly data: string }
  | { readonly type: 'url'; readonly url: string };

/** A sandbox event as clients read it. */
export type SandboxEvent = {
  [T in keyof SandboxEventBodies<Readable>]: {
    readonly id: string;
    readonly type: T;
    readonly processed_at: string;
  } & SandboxEventBodies<Readable>[T];
}[keyof SandboxEventBodies<Readable>];
