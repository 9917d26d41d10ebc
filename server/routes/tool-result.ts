import type { BetaToolResultBlockParam } from '@anthropic-ai/sdk/resources/beta/messages/messages.js';
import type { ActionOutcome, ToolDefinition } from '../../sandbox/protocol.ts';
import type { SandboxService } from '../deps.ts';

/** A tool use of a reply, as the model wrote it. */
export interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly input?: unknown;
}

/** Performs one tool use, at most once in the life of the sandbox, and says how it went as the model is to be told. */
export async function toToolResult(
  sandboxes: SandboxService,
  sandbox: string,
  tools: readonly ToolDefinition[],
  use: ToolUse,
): Promise<BetaToolResultBlockParam> {
  const tool = tools.find(({ name }) => name === use.name);
  if (tool === undefined) return failed(use.id, `Tool ${use.name} is invalid`);
  const outcome = await sandboxes.perform(sandbox, { key: use.id, tool, input: use.input });
  return asBlock(use.id, outcome);
}

function asBlock(id: string, outcome: ActionOutcome): BetaToolResultBlockParam {
  if (outcome.status === 'unknown') {
    return failed(
      id,
      `Outcome unknown: ${outcome.reason}. The action was not repeated; look at the screen before going on.`,
    );
  }
  const content = typeof outcome.content === 'string' ? outcome.content : [...outcome.content];
  return { type: 'tool_result', tool_use_id: id, content, is_error: outcome.is_error };
}

function failed(id: string, text: string): BetaToolResultBlockParam {
  return { type: 'tool_result', tool_use_id: id, content: text, is_error: true };
}
