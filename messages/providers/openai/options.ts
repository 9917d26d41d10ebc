/** Options for a server that speaks chat completions. Only `baseURL` is required. */
export interface OpenAiProviderOptions {
  /** The address up to the version, such as `http://127.0.0.1:8080/v1`; `/chat/completions` is added. */
  readonly baseURL: string;
  /** The upstream's key; without one no `authorization` header is sent. Never that of our own clients. */
  readonly apiKey?: string;
  /** Headers for every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The time in milliseconds for a whole reply, or between the parts of a stream. Default 290,000; Node's fetch gives
   * up after 300,000.
   */
  readonly timeoutMs?: number;
  /**
   * The field that bounds the reply. Default `max_tokens`, which local servers take; newer OpenAI models want the
   * other.
   */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** The role of the system prompt. `user` puts it before the first user message. Default `system`. */
  readonly systemRole?: 'system' | 'developer' | 'user';
  /** Whether user and assistant alternate after tool results too, as some chat templates require. Default false. */
  readonly alternate?: boolean;
  /**
   * The place of pictures in a tool's result: a user message after the results (default, since the protocol has only
   * text in `tool` messages), or the `tool` message itself, which some servers take.
   */
  readonly toolResultImages?: 'user' | 'tool';
  /**
   * `asked` (default): a model's reasoning comes as thinking blocks where the request enables thinking, and is not sent
   * back. `always`: it always comes, and goes back as `reasoning_content`, which some models need between tool calls.
   * `never`: it is left out.
   */
  readonly reasoning?: 'asked' | 'always' | 'never';
  /** PDF documents: refused (default), or sent as `file` parts, which few servers read. */
  readonly pdf?: 'refuse' | 'file';
  /** A conversation that ends with the assistant's words: refused (default), or sent for the server to continue. */
  readonly prefill?: 'refuse' | 'send';
  /** Whether a stream is asked for token counts (`stream_options`). Default true; some servers refuse the field. */
  readonly streamUsage?: boolean;
  /** Fields that override those of every request body, such as `{chat_template_kwargs: {enable_thinking: false}}`. */
  readonly extraBody?: Readonly<Record<string, unknown>>;
}

export const DEFAULT_TIMEOUT_MS = 290_000;

/** The options that decide what a request looks like, with their defaults. */
export type RequestStyle = Required<
  Omit<OpenAiProviderOptions, 'baseURL' | 'apiKey' | 'headers' | 'timeoutMs'>
>;

export function styleOf(options: OpenAiProviderOptions): RequestStyle {
  return {
    maxTokensField: options.maxTokensField ?? 'max_tokens',
    systemRole: options.systemRole ?? 'system',
    alternate: options.alternate ?? false,
    toolResultImages: options.toolResultImages ?? 'user',
    reasoning: options.reasoning ?? 'asked',
    pdf: options.pdf ?? 'refuse',
    prefill: options.prefill ?? 'refuse',
    streamUsage: options.streamUsage ?? true,
    extraBody: options.extraBody ?? {},
  };
}
