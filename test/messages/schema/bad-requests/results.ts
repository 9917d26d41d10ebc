import { png, userSays } from '../../support.ts';
import {
  answered,
  assistant,
  bad,
  type BadRequest,
  base64,
  cache,
  content,
  messages,
  result,
  text,
  used,
} from './bad-request.ts';
import { fromModel, fromUser } from '../../../support/blocks.ts';

const PAIRING = 'Each `tool_use` block must have a corresponding `tool_result` block in the next message.';

/** Uses of tools and their results. */
export const RESULTS: readonly BadRequest[] = [
  bad(
    'a tool use without a result',
    messages(used, userSays('and?')),
    `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_1. ${PAIRING}`,
  ),
  bad(
    'a tool use at the end',
    messages(used),
    `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_1. ${PAIRING}`,
  ),
  bad(
    'a result behind other content',
    messages(used, { role: 'user', content: [text('so'), result('toolu_1')] }),
    `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_1. ${PAIRING}`,
  ),
  bad(
    'a result for nothing',
    content(result('toolu_9')),
    'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
  ),
  bad(
    'a result for an older use',
    messages(
      used,
      { role: 'user', content: [result('toolu_1')] },
      { role: 'assistant', content: 'done' },
      { role: 'user', content: [result('toolu_1')] },
    ),
    'messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
  ),
  bad(
    'two results for one use',
    messages(used, { role: 'user', content: [result('toolu_1'), result('toolu_1')] }),
    'messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_1',
  ),
  bad(
    'one id for two uses',
    messages(used, { role: 'user', content: [result('toolu_1')] }, used, fromUser([result('toolu_1')])),
    'messages.3.content.0: `tool_use` ids must be unique',
  ),
  bad(
    'a picture in an error',
    messages(
      used,
      fromUser([
        result('toolu_1', { is_error: true, content: [{ type: 'image', source: base64(png(1, 1)) }] }),
      ]),
    ),
    'messages.2.content.0.tool_result: all content must be type "text" if "is_error" is true',
  ),
  bad(
    'a tool use of the user',
    content({ type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} }),
    'messages.0.content.0: `tool_use` blocks can only be in `assistant` messages',
  ),
  bad(
    'a result of the assistant',
    assistant(result('toolu_1')),
    'messages.1.content.0: `tool_result` blocks can only be in `user` messages',
  ),
  bad(
    'a picture of the assistant',
    assistant({ type: 'image', source: base64(png(1, 1)) }),
    'messages.1.content.0: `image` blocks can only be in `user` messages',
  ),
  bad(
    'a tool use without input',
    assistant({ type: 'tool_use', id: 'toolu_1', name: 'bash' }),
    'messages.1.content.0.tool_use.input: Field required',
  ),
  bad(
    'a tool input that is a text',
    assistant({ type: 'tool_use', id: 'toolu_1', name: 'bash', input: '{}' }),
    'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
  ),
  bad(
    'an odd tool use id',
    assistant({ type: 'tool_use', id: 'a b', name: 'bash', input: {} }),
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ),
  bad(
    'a result without its id',
    content({ type: 'tool_result' }),
    'messages.0.content.0.tool_result.tool_use_id: Field required',
  ),
  bad(
    'an is_error that is no boolean',
    content(result('toolu_1', { is_error: 'no' })),
    'messages.0.content.0.tool_result.is_error: Input should be a valid boolean',
  ),
  bad(
    'an unknown block in a result',
    content(result('toolu_1', { content: [{ type: 'tool_use' }] })),
    "messages.0.content.0.tool_result.content.0: Input tag 'tool_use' found using 'type' does not match any of the expected tags: 'browser_state', 'document', 'image', 'search_result', 'text', 'tool_reference'",
  ),
  bad(
    'a cached thinking block',
    assistant({ type: 'thinking', thinking: 't', signature: 's', ...cache() }),
    'messages.1.content.0.thinking.cache_control: Extra inputs are not permitted',
  ),

  bad(
    'two uses without results',
    messages(
      fromModel(['toolu_1', 'toolu_2'].map((id) => ({ type: 'tool_use', id, name: 'bash', input: {} }))),
      userSays('and?'),
    ),
    `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_1, toolu_2. ${PAIRING}`,
    { seen: 'anthropics/claude-code#5989' },
  ),
  bad(
    'one use of two without a result',
    messages(
      fromModel(['toolu_1', 'toolu_2'].map((id) => ({ type: 'tool_use', id, name: 'bash', input: {} }))),
      { role: 'user', content: [result('toolu_2')] },
    ),
    `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_1. ${PAIRING}`,
  ),
  bad(
    'one id twice in a message',
    messages(fromModel([0, 1].map(() => ({ type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} }))), {
      role: 'user',
      content: [result('toolu_1')],
    }),
    'messages.1.content.1: `tool_use` ids must be unique',
    { seen: 'anomalyco/opencode#1279' },
  ),
  bad(
    'a result of an unknown use beside the right one',
    answered(result('toolu_1'), result('toolu_2')),
    'messages.2.content.1: unexpected `tool_use_id` found in `tool_result` blocks: toolu_2. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
    { seen: 'anthropics/claude-code#13460' },
  ),
  bad(
    'an empty id',
    assistant({ type: 'tool_use', id: '', name: 'bash', input: {} }),
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
    { seen: 'anomalyco/opencode#1279' },
  ),
  bad(
    'a use without a name',
    assistant({ type: 'tool_use', id: 'a', name: '', input: {} }),
    'messages.1.content.0.tool_use.name: String should have at least 1 character',
  ),
  bad(
    'a name that is too long',
    assistant({ type: 'tool_use', id: 'a', name: 'n'.repeat(201), input: {} }),
    'messages.1.content.0.tool_use.name: String should have at most 200 characters',
  ),
  bad(
    'an input that is a list',
    assistant({ type: 'tool_use', id: 'a', name: 'bash', input: [] }),
    'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
  ),
  bad(
    'a toolset’s name that is a number',
    assistant({ type: 'tool_use', id: 'a', name: 'key', input: {}, toolset_name: 1 }),
    'messages.1.content.0.tool_use.toolset_name: Input should be a valid string',
  ),
  bad(
    'a result with a toolset’s name that is a number',
    answered(result('toolu_1', { toolset_name: 1 })),
    'messages.2.content.0.tool_result.toolset_name: Input should be a valid string',
  ),
  bad(
    'a result with an unknown field',
    answered(result('toolu_1', { output: 'x' })),
    'messages.2.content.0.tool_result.output: Extra inputs are not permitted',
  ),
  bad(
    'content of a result that is a number',
    answered(result('toolu_1', { content: 5 })),
    'messages.2.content.0.tool_result.content: Input should be a valid list',
  ),
  bad(
    'a document in an error',
    answered(
      result('toolu_1', {
        is_error: true,
        content: [{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } }],
      }),
    ),
    'messages.2.content.0.tool_result: all content must be type "text" if "is_error" is true',
  ),
  bad(
    'a tab without a title',
    answered(result('toolu_1', { content: [{ type: 'browser_state', tabs: [{ tab_id: 'a', url: 'b' }] }] })),
    'messages.2.content.0.tool_result.content.0.browser_state.tabs.0.title: Field required',
  ),
  bad(
    'a reference to no tool',
    answered(result('toolu_1', { content: [{ type: 'tool_reference' }] })),
    'messages.2.content.0.tool_result.content.0.tool_reference.tool_name: Field required',
  ),
];
