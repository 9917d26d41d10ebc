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
  | 'cache_control'
  | 'context_management'
  | 'inference_geo'
  | 'metadata'
  | 'output_config'
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
}

/** What a client asks of `POST /v1/messages`. */
export interface MessageRequest extends ModelRequest {
  readonly stream: boolean;
}
