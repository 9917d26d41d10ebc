import { assistant, bad, type BadRequest, content, NOT_AN_OBJECT, tools, weather } from './bad-request.ts';
/** Thinking, and what does not go with it. */
export const THINKING: readonly BadRequest[] = [
  bad('thinking without a type', { thinking: {} }, 'thinking.type: Field required'),
  bad(
    'a small thinking budget',
    { thinking: { type: 'enabled', budget_tokens: 10 } },
    'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
  ),
  bad(
    'a thinking budget above max_tokens',
    { thinking: { type: 'enabled', budget_tokens: 2000 } },
    '`max_tokens` must be greater than `thinking.budget_tokens`.',
  ),
  bad(
    'a thinking budget of all tokens',
    { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 2000 } },
    '`max_tokens` must be greater than `thinking.budget_tokens`.',
  ),
  bad(
    'a temperature beside thinking',
    { max_tokens: 4096, temperature: 0.5, thinking: { type: 'enabled', budget_tokens: 2000 } },
    '`temperature` may only be set to 1 when thinking is enabled.',
  ),
  bad(
    'a forced tool beside thinking',
    {
      max_tokens: 4096,
      tool_choice: 'any',
      ...tools(weather),
      thinking: { type: 'enabled', budget_tokens: 2000 },
    },
    'Thinking may not be enabled when tool_choice forces tool use.',
  ),

  bad(
    'a top_p beside thinking',
    { max_tokens: 4096, top_p: 0.9, thinking: { type: 'enabled', budget_tokens: 2000 } },
    '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.',
  ),
  bad(
    'a top_k beside thinking',
    { max_tokens: 4096, top_k: 5, thinking: { type: 'enabled', budget_tokens: 2000 } },
    '`top_k` must be unset when thinking is enabled.',
    { seen: 'quarkiverse/quarkus-langchain4j#1812' },
  ),
  bad(
    'a choice of one tool beside thinking',
    {
      max_tokens: 4096,
      tool_choice: { type: 'tool', name: 'get_weather' },
      ...tools(weather),
      thinking: { type: 'enabled', budget_tokens: 2000 },
    },
    'Thinking may not be enabled when tool_choice forces tool use.',
    { seen: 'workglow-dev/libs#746' },
  ),
  bad(
    'thinking of an unknown kind',
    { thinking: { type: 'deep' } },
    "thinking: Input tag 'deep' found using 'type' does not match any of the expected tags: 'adaptive', 'between_tools', 'disabled', 'enabled'",
  ),
  bad(
    'thinking without a budget',
    { thinking: { type: 'enabled' } },
    'thinking.enabled.budget_tokens: Field required',
  ),
  bad(
    'a budget for adaptive thinking',
    { thinking: { type: 'adaptive', budget_tokens: 2000 } },
    'thinking.adaptive.budget_tokens: Extra inputs are not permitted',
  ),
  bad(
    'thinking shown in an unknown way',
    { thinking: { type: 'adaptive', display: 'loud' } },
    "thinking.adaptive.display: Input should be 'summarized', 'omitted' or 'updates'",
  ),
  bad('thinking that is a text', { thinking: 'yes' }, `thinking: ${NOT_AN_OBJECT}`),
  bad('thinking that is null', { thinking: null }, `thinking: ${NOT_AN_OBJECT}`),
  bad(
    'a thinking block without its signature',
    assistant({ type: 'thinking', thinking: 'hm' }),
    'messages.1.content.0.thinking.signature: Field required',
  ),
  bad(
    'a redacted thinking block without data',
    assistant({ type: 'redacted_thinking' }),
    'messages.1.content.0.redacted_thinking.data: Field required',
  ),
  bad(
    'a thinking block of the user',
    content({ type: 'thinking', thinking: 'hm', signature: 's' }),
    'messages.0.content.0: `thinking` blocks can only be in `assistant` messages',
  ),
];
