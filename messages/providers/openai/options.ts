/** How a server that speaks chat completions is asked. Only `baseURL` must be given. */
export interface OpenAiProviderOptions {
  /** Up to the version, e.g. `http://127.0.0.1:8080/v1`; `/chat/completions` is added. */
  readonly baseURL: string;
  /** The upstream's key; without one no `authorization` header is sent. Never that of our own clients. */
  readonly apiKey?: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Milliseconds until a whole reply must be there; of a stream, until its first byte and between any two. Default
   * 290,000; Node's own fetch gives up after 300,000.
   */
  readonly timeoutMs?: number;
  /** The field that bounds the reply. Default `max_tokens`, which local servers take; newer OpenAI models want the other. */
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  /** Whose words the system prompt is. `user` puts it in front of the first user message. Default `system`. */
  readonly systemRole?: 'system' | 'developer' | 'user';
  /** For chat templates that insist on it: user and assistant in turns, also after tool results. Default false. */
  readonly alternate?: boolean;
  /**
   * Where pictures of a tool's result go: in a user message right after the results (default; the protocol has only text
   * in `tool` messages), or in the `tool` message itself, which some servers take.
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
  /** A conversation that ends with the assistant's words: refused (default), or sent for the server to go on from. */
  readonly prefill?: 'refuse' | 'send';
  /** Ask for the token counts of a stream (`stream_options`). Default true; false for servers that refuse the field. */
  readonly streamUsage?: boolean;
  /** Put into every request body last, over what is there, e.g. `{chat_template_kwargs: {enable_thinking: false}}`. */
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
