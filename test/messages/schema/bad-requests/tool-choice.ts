import { bad, type BadRequest, bash, tools } from './bad-request.ts';
/** Which tool the model is to use. */
export const TOOL_CHOICE: readonly BadRequest[] = [
  bad(
    'a choice without tools',
    { tool_choice: { type: 'auto' } },
    'tool_choice.auto may only be specified while providing tools.',
  ),
  bad(
    'a string choice without tools',
    { tool_choice: 'any' },
    'tool_choice.any may only be specified while providing tools.',
  ),
  bad(
    'an unknown string choice',
    { tool_choice: 'maybe', ...tools(bash) },
    "tool_choice: Input should be 'auto', 'any' or 'tool'",
  ),
  bad(
    'an unknown choice',
    { tool_choice: { type: 'maybe' }, ...tools(bash) },
    "tool_choice: Input tag 'maybe' found using 'type' does not match any of the expected tags: 'any', 'auto', 'none', 'tool'",
  ),
  bad('a choice without a type', { tool_choice: {}, ...tools(bash) }, 'tool_choice.type: Field required'),
  bad(
    'a choice of a tool without its name',
    { tool_choice: { type: 'tool' }, ...tools(bash) },
    'tool_choice.tool.name: Field required',
  ),
  bad(
    'a choice of a tool that is not there',
    { tool_choice: { type: 'tool', name: 'x' }, ...tools(bash) },
    "tool_choice: Tool 'x' not found in provided tools",
  ),
  bad(
    'a choice with an unknown field',
    { tool_choice: { type: 'none', name: 'x' }, ...tools(bash) },
    'tool_choice.none.name: Extra inputs are not permitted',
  ),
];
