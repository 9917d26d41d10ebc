import type { ChatCompletionCreateParamsNonStreaming } from 'openai/resources/chat/completions/completions.js';
import { InvalidRequestError } from '@steadyhand/contracts';
import { isRecord } from '../../api/is-record.ts';
import type { ModelRequest } from '../../api/request.ts';
import { chatMessages } from './chat-messages.ts';
import { chatChoice, type ChatTools } from './chat-tools.ts';
import type { RequestStyle } from './options.ts';
import { defined } from '../../api/defined.ts';

type Params = ChatCompletionCreateParamsNonStreaming;

/** OpenAI has no `top_k`; local servers take it by this name. */
type ChatRequest = Params & { top_k?: number };

function outputFields({ output_config: config, output_format: older }: ModelRequest): Partial<Params> {
  const { effort, format = older } = config ?? {};
  return {
    ...(effort == null ? {} : { reasoning_effort: effort === 'max' ? 'xhigh' : effort }),
    ...(format != null && format.type === 'json_schema' && isRecord(format.schema)
      ? {
          response_format: {
            type: 'json_schema',
            json_schema: { name: 'output', strict: true, schema: format.schema },
          },
        }
      : {}),
  };
}

/**
 * Translates a request of the Messages API into one for a chat completion. Fields without a counterpart are dropped
 * where they only save time or money, such as `cache_control`, and refused where they would change the reply.
 *
 * @throws {InvalidRequestError} naming the field
 */
export function chatRequest(request: ModelRequest, tools: ChatTools, style: RequestStyle): ChatRequest {
  if (request.max_tokens < 1) {
    throw new InvalidRequestError('max_tokens: this model has no cache to warm; it must be at least 1');
  }
  const { temperature, top_p, top_k, stop_sequences: stop = [], metadata } = request;
  const userId = metadata?.user_id;
  return {
    model: request.model,
    messages: chatMessages(request, tools, style),
    [style.maxTokensField]: request.max_tokens,
    ...(tools.functions.length === 0 ? {} : { tools: [...tools.functions] }),
    ...chatChoice(request),
    ...defined({ temperature, top_p, top_k }),
    ...(stop.length === 0 ? {} : { stop }),
    ...(userId == null ? {} : { user: userId }),
    ...outputFields(request),
    ...style.extraBody,
  };
}
