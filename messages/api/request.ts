import type {
  MessageCreateParams,
  MessageParam,
  TextBlockParam,
  ToolChoice,
  ToolParam,
} from './api-types.ts';

/** Fields that are checked for shape and handed to the provider as they came. */
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

/** Fields that the newest models have given up and the SDK's types with them; older models and clients use them. */
export interface Sampling {
  /** 0 to 1. */
  readonly temperature?: number;
  /** 0 to 1. */
  readonly top_p?: number;
  readonly top_k?: number;
}

/**
 * What is done to a request's conversation before a model sees it, asked for by `context_care` in a request or in an agent.
 * An extension of the API: every field is optional, and without the object the conversation goes as it came.
 */
export interface ContextCare {
  /**
   * Keep the newest screenshots of tool results, at least so many; older ones become a short text. They are taken away in
   * chunks of the same size, so that the conversation's beginning stays as it was for some turns and a cache of it hits.
   */
  readonly keep_screenshots?: number | null;
  /** `auto` places the cache breakpoints of an agent loop: tools and system, and the newest user turns. Default `off`. */
  readonly cache_breakpoints?: 'auto' | 'off';
  /** Scale pictures down to what the model takes, and coordinates with them. Default false. */
  readonly fit_images?: boolean;
}

/** What a provider is asked: a valid request of the Messages API, with its variants of one meaning made one. */
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
  /** Of header and body together, each once. */
  readonly betas: readonly string[];
  /** An extension of the API; done before a provider is asked. */
  readonly context_care?: ContextCare;
}

/** What a client asks of `POST /v1/messages`. */
export interface MessageRequest extends ModelRequest {
  readonly stream: boolean;
}
