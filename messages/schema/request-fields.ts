import { z } from 'zod';
import type { MessageCreateParams, ThinkingConfig } from '../api/api-types.ts';
import type { ContextCare } from '../api/request.ts';
import { anyObject, integer } from './fields/shared.ts';
import { chosen, textElse } from './fields/chosen.ts';
import { nullish, optional } from './fields/optional.ts';
import { tagged } from './fields/tagged.ts';

/** The fields of a request other than its model, messages and tools, each under its own name. */

type Field<K extends keyof MessageCreateParams> = z.ZodType<NonNullable<MessageCreateParams[K]>>;

const name = z.string().min(1).max(256);
const effort = z.enum(['low', 'medium', 'high', 'xhigh', 'max']);
export const speed = z.enum(['standard', 'fast']);

const thinkingOptions = {
  display: nullish(z.enum(['summarized', 'omitted', 'updates'])),
  block_binding: nullish(
    z.strictObject({ prefix_mismatch_behavior: nullish(z.enum(['error', 'drop_block'])) }),
  ),
};
export const thinking: z.ZodType<ThinkingConfig> = tagged<ThinkingConfig>({
  enabled: z.strictObject({ type: z.literal('enabled'), budget_tokens: integer(1024), ...thinkingOptions }),
  adaptive: z.strictObject({ type: z.literal('adaptive'), ...thinkingOptions }),
  between_tools: z.strictObject({ type: z.literal('between_tools') }),
  disabled: z.strictObject({ type: z.literal('disabled') }),
});

/** `context_care` of a request, of an agent, or of a route in the providers file. */
export const contextCare: z.ZodType<ContextCare> = z.strictObject({
  keep_screenshots: z.exactOptional(integer(1).nullable()),
  cache_breakpoints: z.exactOptional(z.enum(['auto', 'off'])),
  fit_images: z.exactOptional(z.boolean()),
});

export const outputFormat: Field<'output_format'> = z.strictObject({
  type: z.literal('json_schema'),
  schema: anyObject(),
});

export const outputConfig: Field<'output_config'> = z.strictObject({
  effort: nullish(effort),
  format: nullish(outputFormat),
  task_budget: nullish(
    z.strictObject({ type: z.literal('tokens'), total: integer(1), remaining: nullish(integer(0)) }),
  ),
});

/** The options that a system message within a conversation may set for later turns. */
export const turnOutputConfig = z.strictObject({ effort: nullish(effort) });

export const thread: Field<'thread'> = tagged<NonNullable<MessageCreateParams['thread']>>({
  create: z.strictObject({ type: z.literal('create') }),
  continue: z.strictObject({ type: z.literal('continue'), previous_message_id: z.string().min(1) }),
});

type Edit = NonNullable<NonNullable<MessageCreateParams['context_management']>['edits']>[number];
type ToolUsesEdit = Extract<Edit, { type: 'clear_tool_uses_20250919' }>;
type ThinkingEdit = Extract<Edit, { type: 'clear_thinking_20251015' }>;

const inputTokens = z.strictObject({ type: z.literal('input_tokens'), value: integer(1) });
const toolUses = z.strictObject({ type: z.literal('tool_uses'), value: integer(0) });

const flag: z.ZodType<boolean | string[]> = z.boolean();
const names: z.ZodType<boolean | string[]> = z.array(z.string());
const clearInputs = chosen((value) => (Array.isArray(value) ? names : flag), [flag, names]);

const turnsKept: z.ZodType<NonNullable<ThinkingEdit['keep']>> = tagged<
  Exclude<NonNullable<ThinkingEdit['keep']>, string>
>({
  thinking_turns: z.strictObject({ type: z.literal('thinking_turns'), value: integer(1) }),
  all: z.strictObject({ type: z.literal('all') }),
});
const everything: z.ZodType<NonNullable<ThinkingEdit['keep']>> = z.literal('all');

const edit = tagged<Edit>({
  clear_tool_uses_20250919: z.strictObject({
    type: z.literal('clear_tool_uses_20250919'),
    clear_at_least: nullish(inputTokens),
    clear_tool_inputs: nullish(clearInputs),
    exclude_tools: nullish(z.array(z.string())),
    keep: optional(toolUses),
    trigger: optional(
      tagged<NonNullable<ToolUsesEdit['trigger']>>({ input_tokens: inputTokens, tool_uses: toolUses }),
    ),
  }),
  clear_thinking_20251015: z.strictObject({
    type: z.literal('clear_thinking_20251015'),
    keep: optional(textElse(everything, turnsKept)),
  }),
  compact_20260112: z.strictObject({
    type: z.literal('compact_20260112'),
    instructions: nullish(z.string()),
    pause_after_compaction: optional(z.boolean()),
    trigger: nullish(inputTokens),
  }),
});

export const contextManagement: Field<'context_management'> = z.strictObject({
  edits: optional(z.array(edit)),
});

export const compaction: Field<'compaction'> = z.strictObject({
  type: z.literal('summarize'),
  instructions: nullish(z.string()),
});

export const diagnostics: Field<'diagnostics'> = z.strictObject({
  previous_message_id: nullish(z.string()),
});

export const billingPolicy: Field<'billing_policy'> = z.strictObject({
  type: z.literal('billing_policy'),
  bill_to: optional(z.enum(['self', 'user_profile'])),
});

type Container = NonNullable<MessageCreateParams['container']>;
const containerId: z.ZodType<Container> = z.string();
const containerParams: z.ZodType<Container> = z.strictObject({
  id: nullish(z.string()),
  skills: nullish(
    z.array(
      z.strictObject({
        type: z.enum(['anthropic', 'custom']),
        skill_id: z.string().min(1),
        version: optional(z.string().min(1)),
      }),
    ),
  ),
});
export const container: Field<'container'> = textElse(containerId, containerParams);

export const mcpServers: Field<'mcp_servers'> = z.array(
  z.strictObject({
    type: z.literal('url'),
    name: z.string().min(1),
    url: z.string().min(1),
    authorization_token: nullish(z.string()),
    tool_configuration: nullish(
      z.strictObject({ allowed_tools: nullish(z.array(z.string())), enabled: nullish(z.boolean()) }),
    ),
  }),
);

type Fallbacks = NonNullable<MessageCreateParams['fallbacks']>;
const defaultFallbacks: z.ZodType<Fallbacks> = z.literal('default');
const fallbackList: z.ZodType<Fallbacks> = z.array(
  z.strictObject({
    model: name,
    max_tokens: nullish(integer(1)),
    output_config: nullish(outputConfig),
    speed: nullish(speed),
    thinking: nullish(thinking),
  }),
);
export const fallbacks: Field<'fallbacks'> = textElse(defaultFallbacks, fallbackList);

type CreditToken = NonNullable<MessageCreateParams['fallback_credit_token']>;
const tokenText: z.ZodType<CreditToken> = z.string();
const tokenObject: z.ZodType<CreditToken> = z.strictObject({
  token: z.string(),
  mode: optional(z.enum(['strict', 'best_effort'])),
});
export const fallbackCreditToken: Field<'fallback_credit_token'> = textElse(tokenText, tokenObject);
