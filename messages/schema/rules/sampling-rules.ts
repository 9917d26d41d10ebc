import { InvalidRequest } from '../../errors.ts';
import type { ModelRequest } from '../../request.ts';

/** The rules between the fields that steer how a reply is made. */
export function checkSampling(request: ModelRequest): void {
  for (const sequence of request.stop_sequences ?? []) {
    if (sequence.trim() === '') {
      throw new InvalidRequest('stop_sequences: each stop sequence must contain non-whitespace');
    }
  }
  if (request.thinking?.type !== 'enabled') return;
  if (request.thinking.budget_tokens >= request.max_tokens) {
    throw new InvalidRequest('`max_tokens` must be greater than `thinking.budget_tokens`.');
  }
  if (request.temperature !== undefined && request.temperature !== 1) {
    throw new InvalidRequest('`temperature` may only be set to 1 when thinking is enabled.');
  }
  if (request.tool_choice?.type === 'any' || request.tool_choice?.type === 'tool') {
    throw new InvalidRequest('Thinking may not be enabled when tool_choice forces tool use.');
  }
}
