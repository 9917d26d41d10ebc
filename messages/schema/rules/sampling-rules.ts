import { InvalidRequestError } from '@steadyhand/contracts';
import type { ModelRequest } from '../../api/request.ts';

/** With this beta a model also thinks between tool uses, and the budget is for all replies of a turn. */
const INTERLEAVED = 'interleaved-thinking-2025-05-14';
const LEAST_TOP_P = 0.95;

function checkThinking(request: ModelRequest, budget: number): void {
  const { max_tokens: maxTokens, temperature, top_p: topP, top_k: topK, tool_choice: choice } = request;
  const interleaved = request.betas.includes(INTERLEAVED) && request.tools.length > 0;
  if (budget >= maxTokens && !interleaved) {
    throw new InvalidRequestError('`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  if (temperature !== undefined && temperature !== 1) {
    throw new InvalidRequestError('`temperature` may only be set to 1 when thinking is enabled.');
  }
  if (topP !== undefined && topP < LEAST_TOP_P) {
    throw new InvalidRequestError(
      `\`top_p\` must be greater than or equal to ${LEAST_TOP_P} or unset when thinking is enabled.`,
    );
  }
  if (topK !== undefined) throw new InvalidRequestError('`top_k` must be unset when thinking is enabled.');
  if (choice?.type === 'any' || choice?.type === 'tool') {
    throw new InvalidRequestError('Thinking may not be enabled when tool_choice forces tool use.');
  }
}

/** Checks the rules between the fields that control sampling, thinking and output. */
export function checkSampling(request: ModelRequest): void {
  for (const sequence of request.stop_sequences ?? []) {
    if (sequence.trim() === '') {
      throw new InvalidRequestError('stop_sequences: each stop sequence must contain non-whitespace');
    }
  }
  if (request.thinking?.type === 'enabled') checkThinking(request, request.thinking.budget_tokens);
  if (request.output_format != null && request.output_config?.format != null) {
    throw new InvalidRequestError('output_format: cannot be combined with `output_config.format`');
  }
  if (request.compaction != null && request.context_management != null) {
    throw new InvalidRequestError('compaction: cannot be combined with `context_management`');
  }
}
