import type {
  BetaManagedAgentsAgentEvaluatedPermission,
  BetaManagedAgentsAgentToolEvaluation,
  BetaManagedAgentsSearchResultBlock,
  BetaManagedAgentsSessionErrorEvent,
  BetaManagedAgentsSessionEvent,
  BetaManagedAgentsSessionStatusIdleEvent,
  BetaManagedAgentsSpanModelUsage,
  BetaManagedAgentsTextBlock,
  BetaManagedAgentsUserMessageEvent,
} from '@anthropic-ai/sdk/resources/beta/sessions/events.js';
import type { PolicyDecision } from '../policy/evaluate.ts';
import type { Grant } from '../policy/grant.ts';
import type { BetaManagedAgentsSessionUpdatedEvent } from '@anthropic-ai/sdk/resources/beta/sessions/sessions.js';
import type { NetworkRequest, PersonInput, TakeoverEnd, TextContent } from '@steadyhand/contracts';

/** A user's message may hold search results, as in the Messages API, although the SDK's type lacks them. */
type UserMessageEvent = Omit<BetaManagedAgentsUserMessageEvent, 'content'> & {
  content: (BetaManagedAgentsUserMessageEvent['content'][number] | BetaManagedAgentsSearchResultBlock)[];
};

/** An event as clients see it: the SDK's union, and the events that are ours. */
export type SessionEvent =
  | BetaManagedAgentsSessionEvent
  | UserMessageEvent
  | GrantWithdrawnEvent
  | SandboxEvent;

/** A person withdraws what was allowed for the rest of the session. */
interface GrantWithdrawnEvent {
  readonly id: string;
  readonly type: 'user.grant_withdrawn';
  readonly processed_at: string | null;
  readonly grant_id: string;
}

export type TextBlock = BetaManagedAgentsTextBlock;
export type SearchResultBlock = BetaManagedAgentsSearchResultBlock;

/** A reference to bytes in the blob store. The event log holds these; clients and models get the bytes instead. */
export interface BlobSource {
  readonly type: 'blob';
  readonly sha256: string;
  readonly media_type: string;
}
/** Bytes as clients and models exchange them. */
export interface Base64Source {
  readonly type: 'base64';
  readonly media_type: string;
  readonly data: string;
}
export interface UrlSource {
  readonly type: 'url';
  readonly url: string;
}
/** An uploaded file in a client's event. It is replaced by its bytes when the event is accepted. */
export interface FileSource {
  readonly type: 'file';
  readonly file_id: string;
}
interface PlainTextSource {
  readonly type: 'text';
  readonly media_type: 'text/plain';
  readonly data: string;
}

/** `Bytes` is the form of pictures and documents: a blob, base64, or either. */
export interface ImageBlock<Bytes> {
  readonly type: 'image';
  readonly source: Bytes | UrlSource;
}
export interface DocumentBlock<Bytes> {
  readonly type: 'document';
  readonly source: Bytes | UrlSource | PlainTextSource;
  readonly title?: string | null;
  readonly context?: string | null;
}
type MessageBlock<Bytes> = TextBlock | ImageBlock<Bytes> | DocumentBlock<Bytes>;
export type ResultBlock<Bytes> = MessageBlock<Bytes> | SearchResultBlock;

export type StopReason = BetaManagedAgentsSessionStatusIdleEvent['stop_reason'];
export type SessionError = BetaManagedAgentsSessionErrorEvent['error'];
export type ModelUsage = BetaManagedAgentsSpanModelUsage;
export type Permission = BetaManagedAgentsAgentEvaluatedPermission;

type Nothing = Readonly<Record<never, never>>;

/** The events that the event log holds, by type: the SDK's shapes without `id`, `type` and `processed_at`. */
export interface EventBodies<Bytes> extends SandboxEventBodies<Bytes> {
  'user.message': { readonly content: readonly ResultBlock<Bytes>[] };
  'user.interrupt': Nothing;
  'user.tool_confirmation': {
    readonly tool_use_id: string;
    readonly result: 'allow' | 'deny';
    readonly deny_message?: string | null;
    /** What is allowed from then on without asking; its id is the event's. */
    readonly grant?: Grant;
  };
  /** The grant with this id holds no more. */
  'user.grant_withdrawn': { readonly grant_id: string };
  'user.custom_tool_result': {
    readonly custom_tool_use_id: string;
    readonly content?: readonly ResultBlock<Bytes>[];
    readonly is_error?: boolean | null;
  };
  /** A message of the role `system` within the conversation. */
  'system.message': { readonly content: readonly TextBlock[] };
  'agent.message': { readonly content: readonly TextBlock[] };
  'agent.thinking': Nothing;
  'agent.tool_use': {
    readonly name: string;
    /** Given for a toolset's member, whose name is `name`. */
    readonly toolset_name?: string;
    readonly input: Readonly<Record<string, unknown>>;
    readonly evaluated_permission: Permission;
    readonly evaluation?: BetaManagedAgentsAgentToolEvaluation;
    /** The rule of the action policies that decided, if one did. */
    readonly policy_decision?: PolicyDecision;
  };
  'agent.custom_tool_use': { readonly name: string; readonly input: Readonly<Record<string, unknown>> };
  'agent.tool_result': {
    readonly tool_use_id: string;
    readonly content: readonly ResultBlock<Bytes>[];
    readonly is_error: boolean;
    /** The rule by which the action was not performed after all, e.g. because another window had come up. */
    readonly policy_decision?: PolicyDecision;
  };
  'session.status_running': Nothing;
  'session.status_idle': {
    readonly stop_reason: StopReason;
    readonly stop_details: BetaManagedAgentsSessionStatusIdleEvent['stop_details'];
  };
  'session.status_rescheduled': Nothing;
  'session.status_terminated': Nothing;
  'session.error': { readonly error: SessionError };
  'session.updated': Pick<BetaManagedAgentsSessionUpdatedEvent, 'title' | 'metadata'>;
  'session.deleted': Nothing;
  'span.model_request_start': Nothing;
  'span.model_request_end': {
    readonly model_request_start_id: string;
    readonly is_error: boolean;
    readonly model_usage: ModelUsage;
  };
}

export type EventType = keyof EventBodies<never>;

/** The part of an event that clients do not see. */
export interface Internal {
  /** The span by which the event came into the log, as the header `traceparent` names it. */
  readonly trace?: string;
  /** The model's reply that the event belongs to. */
  readonly reply?: ReplyMark;
  /** The model's own id of a tool use (`toolu_...`). */
  readonly model_id?: string;
  /** The thinking block with its signature, which goes back to the model unchanged. */
  readonly thinking?: ThinkingBlock;
}

export interface ReplyMark {
  /** One id for all events of a reply, such as the reply's `msg_...` id. */
  readonly id: string;
  /** The last seq that the model was shown. In the conversation, user events after it come after the reply. */
  readonly cursor: number;
}

export type ThinkingBlock =
  | { readonly type: 'thinking'; readonly thinking: string; readonly signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string };

/** An event to append. Its bytes may be in base64, which is moved to the blob store, or in a blob already. */
export type NewEvent<T extends EventType = EventType> = {
  [K in T]: {
    readonly type: K;
    readonly body: EventBodies<BlobSource | Base64Source>[K];
    readonly internal?: Internal;
  };
}[T];

/** An event of the event log. */
export type LogEvent<T extends EventType = EventType> = {
  [K in T]: {
    readonly session: string;
    readonly seq: number;
    /** `sevt_...` */
    readonly id: string;
    readonly type: K;
    readonly body: EventBodies<BlobSource>[K];
    readonly internal: Internal;
    readonly created_at: string;
  };
}[T];

/**
 * Makes a type guard for events of some types.
 * @example
 * const uses = events.filter(is('agent.tool_use', 'agent.custom_tool_use'));
 */
export function is<T extends EventType>(
  ...types: readonly T[]
): (event: LogEvent) => event is Extract<LogEvent, { type: T }> {
  const wanted: ReadonlySet<string> = new Set(types);
  return (event): event is Extract<LogEvent, { type: T }> => wanted.has(event.type);
}

/**
 * Events in a session's sandbox beside its tools. Their types begin with `sandbox.` and are not in the SDK's union.
 * They belong to the audit trail; the model is shown only the content of `sandbox.takeover_ended`. `Bytes` is the form
 * of pictures.
 */
export interface SandboxEventBodies<Bytes> {
  /** A connection that a program made or tried to make through the egress proxy. */
  'sandbox.network_request': NetworkRequest;
  /** No machine of the pool has room for the sandbox yet; the session waits in line. */
  'sandbox.waiting': { readonly sandbox_id: string; readonly message: string };
  /** The sandbox was made for one that was lost. */
  'sandbox.replaced': { readonly sandbox_id: string; readonly message: string };
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
