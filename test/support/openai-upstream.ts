import { json } from './anthropic-answers.ts';
import { startUpstream, type AnthropicUpstream } from './anthropic-upstream.ts';
import { chat } from './openai-answers.ts';

export * from './openai-answers.ts';
export { cut, json, silent, type Handler } from './anthropic-answers.ts';
export type { SeenRequest } from './anthropic-upstream.ts';

/**
 * An upstream that speaks chat completions over a loopback socket and says what the test makes it say: a request takes the
 * next of `queue`, or `answer` when the queue is empty. `baseURL` ends in `/v1`.
 */
export type OpenAiUpstream = Omit<AnthropicUpstream, 'countTokens'>;

const MODELS = json(200, {
  object: 'list',
  data: [{ id: 'local-model', object: 'model', created: 1_790_000_000, owned_by: 'double' }],
});

export async function startOpenAiUpstream(): Promise<OpenAiUpstream> {
  const upstream = await startUpstream();
  const forget = upstream.reset.bind(upstream);
  const reset = (): void => {
    forget();
    upstream.answer = chat('Hello from upstream.');
    upstream.models = MODELS;
  };
  reset();
  return Object.assign(upstream, { baseURL: `${upstream.baseURL}/v1`, reset });
}
