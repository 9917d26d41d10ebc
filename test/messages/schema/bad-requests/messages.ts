import { userSays } from '../../support.ts';
import {
  assistant,
  bad,
  type BadRequest,
  bash,
  cache,
  content,
  messages,
  NOT_AN_OBJECT,
  result,
  text,
  tools,
  used,
} from './bad-request.ts';
import { fromUser } from '../../../support/blocks.ts';

const TAGS = [
  'advisor_tool_result',
  'bash_code_execution_tool_result',
  'code_execution_tool_result',
  'compaction',
  'container_upload',
  'document',
  'fallback',
  'image',
  'mcp_tool_listing',
  'mcp_tool_result',
  'mcp_tool_use',
  'redacted_thinking',
  'search_result',
  'server_tool_use',
  'text',
  'text_editor_code_execution_tool_result',
  'thinking',
  'tool_addition',
  'tool_removal',
  'tool_result',
  'tool_search_tool_result',
  'tool_use',
  'web_fetch_tool_result',
  'web_search_tool_result',
]
  .map((tag) => `'${tag}'`)
  .join(', ');

/** Messages, and what each must hold. */
export const MESSAGES: readonly BadRequest[] = [
  bad('a message that is no object', { messages: ['hello'] }, `messages.0: ${NOT_AN_OBJECT}`),
  bad('a message without a role', { messages: [{ content: 'hello' }] }, 'messages.0.role: Field required'),
  bad(
    'an unknown role',
    { messages: [{ role: 'tool', content: 'hello' }] },
    "messages.0.role: Input should be 'user' or 'assistant'",
  ),
  bad('a message without content', { messages: [{ role: 'user' }] }, 'messages.0.content: Field required'),
  bad(
    'content of the wrong type',
    { messages: [{ role: 'user', content: 7 }] },
    'messages.0.content: Input should be a valid list',
  ),
  bad(
    'a message with an unknown field',
    { messages: [{ ...userSays('a'), name: 'b' }] },
    'messages.0.name: Extra inputs are not permitted',
  ),
  bad(
    'an assistant who begins',
    { messages: [{ role: 'assistant', content: 'hello' }] },
    'messages: first message must use the "user" role',
  ),
  bad(
    'a system message that begins',
    { messages: [{ role: 'system', content: 'x' }] },
    "messages.0: role 'system' cannot be the first message; use the top-level `system` parameter",
  ),
  bad(
    'empty content',
    { messages: [{ role: 'user', content: '' }] },
    'messages.0: all messages must have non-empty content except for the optional final assistant message',
  ),
  bad(
    'an empty list of content',
    messages({ role: 'assistant', content: [] }, userSays('and?')),
    'messages.1: all messages must have non-empty content except for the optional final assistant message',
  ),
  bad(
    'a final assistant text with space behind',
    messages({ role: 'assistant', content: 'so ' }),
    'messages: final assistant content cannot end with trailing whitespace',
  ),
  bad('a block that is no object', content('hello'), `messages.0.content.0: ${NOT_AN_OBJECT}`),
  bad('a block without a type', content({ text: 'hello' }), 'messages.0.content.0.type: Field required'),
  bad(
    'an unknown block',
    content({ type: 'video' }),
    `messages.0.content.0: Input tag 'video' found using 'type' does not match any of the expected tags: ${TAGS}`,
  ),
  bad(
    'a text block without text',
    content({ type: 'text' }),
    'messages.0.content.0.text.text: Field required',
  ),
  bad(
    'a text block with an unknown field',
    content(text('a', { colour: 'red' })),
    'messages.0.content.0.text.colour: Extra inputs are not permitted',
  ),
  bad('an empty text block', content(text('')), 'messages: text content blocks must be non-empty'),
  bad(
    'a blank text block',
    content(text(' \n')),
    'messages: text content blocks must contain non-whitespace text',
  ),
  bad(
    'a cached empty text block',
    content(text('', cache())),
    'messages.0.content.0.text: cache_control cannot be set for empty text blocks',
  ),
  bad(
    'an unknown cache type',
    content(text('a', { cache_control: { type: 'forever' } })),
    "messages.0.content.0.text.cache_control: Input tag 'forever' found using 'type' does not match any of the expected tags: 'ephemeral'",
  ),
  bad(
    'five cache breakpoints',
    content(...'abcde'.split('').map((letter) => text(letter, cache()))),
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  ),
  bad(
    'five breakpoints, one of them in a result and one at the top',
    {
      ...messages(
        used,
        fromUser([
          result('toolu_1', { content: [text('a', cache())], ...cache() }),
          text('b', cache()),
          text('c', cache()),
        ]),
      ),
      ...cache(),
    },
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  ),
  bad(
    'a long-lived breakpoint behind a short one',
    content(text('a', cache('5m')), text('b', cache('1h'))),
    "messages.0.content.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
  ),

  bad(
    'five breakpoints with one of them on a tool',
    {
      ...tools({ ...bash, ...cache() }),
      ...content(...'abcd'.split('').map((letter) => text(letter, cache()))),
    },
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
    { seen: 'tghamm/Anthropic.SDK#50' },
  ),
  bad(
    'a long-lived breakpoint in the system text behind a short one on a tool',
    { ...tools({ ...bash, ...cache() }), system: [text('a', cache('1h'))] },
    "system.0.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
    { seen: 'karthink/gptel#977' },
  ),
  bad(
    'another lifetime at the top than at the last block',
    { ...content(text('a', cache('1h'))), ...cache('5m') },
    "Top-level cache_control has ttl='5m' but the target block already has cache_control with ttl='1h'",
    { seen: 'vellum-ai/vellum-assistant#23414' },
  ),
  bad(
    'a cached empty system block',
    { system: [text('a'), text('', cache())] },
    'system.1: cache_control cannot be set for empty text blocks',
    { seen: 'vellum-ai/vellum-assistant#30712' },
  ),
  bad(
    'a cached blank text',
    content(text('a'), text(' ', cache())),
    'messages.0.content.1.text: cache_control cannot be set for empty text blocks',
    { seen: 'anthropics/claude-code#54013' },
  ),
  bad(
    'a lifetime of two hours',
    content(text('a', cache('2h'))),
    "messages.0.content.0.text.cache_control.ttl: Input should be '5m' or '1h'",
  ),
  bad(
    'a blank text of the user',
    { messages: [userSays('  ')] },
    'messages: text content blocks must contain non-whitespace text',
  ),
  bad(
    'content that is null',
    { messages: [{ role: 'user', content: null }] },
    'messages.0.content: Input should be a valid list',
  ),
  bad(
    'a role that is a number',
    { messages: [{ role: 1, content: 'a' }] },
    "messages.0.role: Input should be 'user' or 'assistant'",
  ),
  bad('a message that is null', { messages: [null] }, `messages.0: ${NOT_AN_OBJECT}`),
  bad(
    'a second message that is wrong',
    messages({ role: 'assistant' }),
    'messages.1.content: Field required',
  ),
  bad(
    'a text that is a number',
    content({ type: 'text', text: 5 }),
    'messages.0.content.0.text.text: Input should be a valid string',
  ),
  bad(
    'a block whose type is a list',
    content({ type: ['text'] }),
    'messages.0.content.0.type: Input should be a valid string',
  ),
  bad(
    'citations that are no list',
    assistant(text('a', { citations: 'b' })),
    'messages.1.content.0.text.citations: Input should be a valid list',
  ),
  bad(
    'a final assistant block with space behind',
    messages({ role: 'assistant', content: [text('so\n')] }),
    'messages: final assistant content cannot end with trailing whitespace',
  ),
  bad(
    'a system message that ends at an unknown time',
    messages({ role: 'system', content: 'x', clear_at: 'dawn' }),
    "messages.1.clear_at: Input should be 'next_user_message' or 'never'",
  ),
  bad(
    'a system message with another setting',
    messages({ role: 'system', content: 'x', output_config: { format: null } }),
    'messages.1.output_config.format: Extra inputs are not permitted',
  ),
  bad(
    'more than 100,000 messages',
    // Of the least that a message can be: more values than these are refused before they are looked at.
    { messages: Array.from({ length: 100_001 }, () => 1) },
    'messages: List should have at most 100000 items after validation, not 100001',
  ),
];
