import type {
  MessageCreateParams,
  MessageParam,
  TextBlockParam,
  ToolChoice,
  ToolParam,
} from './api-types.ts';

/** Fields whose shape is checked and which the provider receives unchanged. */
type PassedThrough = Pick<
  MessageCreateParams,
  | 'billing_policy'
  | 'cache_control'
  | 'compaction'
  | 'container'
  | 'context_management'
  | 'diagnostics'
  | 'fallback_credit_token'
  | 'fallbacks'
  | 'inference_geo'
  | 'mcp_servers'
  | 'metadata'
  | 'output_config'
  | 'output_format'
  | 'service_tier'
  | 'speed'
  | 'stop_sequences'
  | 'thinking'
>;

/** Fields that the newest models and the SDK's types no longer have; older models and clients use them. */
export interface Sampling {
  /** 0 to 1. */
  readonly temperature?: number;
  /** 0 to 1. */
  readonly top_p?: number;
  readonly top_k?: number;
}

/**
 * Says what is done to a conversation before a model sees it. `context_care` is an extension of the API that requests,
 * agents and routes may have. Every field is optional; without the object the conversation stays as it is.
 */
export interface ContextCare {
  /**
   * Keeps at least this many of the newest screenshots in tool results; older ones become a short text. They are
   * removed in chunks of the same size, so that the conversation's beginning stays the same for some turns and prompt
   * caches hit.
   */
  readonly keep_screenshots?: number | null;
  /**
   * `auto` places the cache breakpoints of an agent loop: tools and system, and the newest user turns. Default `off`.
   */
  readonly cache_breakpoints?: 'auto' | 'off';
  /** Whether pictures are scaled down to what the model takes, and coordinates with them. Default false. */
  readonly fit_images?: boolean;
}

/** What a provider is asked: a valid request of the Messages API in which equivalent forms have become one. */
export interface ModelRequest extends PassedThrough, Sampling {
  readonly model: string;
  readonly max_tokens: number;
  readonly messages: readonly MessageParam[];
  /** Empty when the request has none. */
  readonly tools: readonly ToolParam[];
  /** Always the object form: the string modes are translated on the way in. */
  readonly tool_choice?: ToolChoice;
  readonly system?: string | readonly TextBlockParam[];
  /** The client's own addition to the generated computer-use prompt. */
  readonly system_prompt?: string;
  /** The betas of header and body together, without duplicates. */
  readonly betas: readonly string[];
  /** An extension of the API, carried out before a provider is asked. */
  readonly context_care?: ContextCare;
}

/** What a client asks of `POST /v1/messages`. */
export interface MessageRequest extends ModelRequest {
  readonly stream: boolean;
}
