import { InvalidRequest, parseMessageRequest } from '../../../messages/index.ts';
import { COMPUTER_USE, jpeg, png, userSays } from '../support.ts';

/** Every case is a valid request with one thing wrong; the API's answer to it, word for word. */
const valid = { model: 'script', max_tokens: 1024, messages: [userSays('hello')] };
const used = { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} }] };
const result = (id: string, more: object = {}): object => ({ type: 'tool_result', tool_use_id: id, ...more });
const messages = (...more: unknown[]): object => ({ messages: [userSays('hello'), ...more] });
const content = (...blocks: unknown[]): object => ({ messages: [{ role: 'user', content: blocks }] });
const assistant = (...blocks: unknown[]): object =>
  messages({ role: 'assistant', content: blocks }, userSays('and?'));
const image = (source: object): object => content({ type: 'image', source });
const base64 = (data: string, media = 'image/png'): object => ({ type: 'base64', media_type: media, data });
const text = (value: string, more: object = {}): object => ({ type: 'text', text: value, ...more });
const cache = (ttl?: string): object => ({ cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } });

const NOT_AN_OBJECT = 'Input should be a valid dictionary or object to extract fields from';
const PAIRING = 'Each `tool_use` block must have a corresponding `tool_result` block in the next message.';

const cases: readonly (readonly [what: string, change: object | null, message: string])[] = [
  // Messages
  ['a message that is no object', { messages: ['hello'] }, `messages.0: ${NOT_AN_OBJECT}`],
  ['a message without a role', { messages: [{ content: 'hello' }] }, 'messages.0.role: Field required'],
  [
    'an unknown role',
    { messages: [{ role: 'tool', content: 'hello' }] },
    "messages.0.role: Input should be 'user' or 'assistant'",
  ],
  ['a message without content', { messages: [{ role: 'user' }] }, 'messages.0.content: Field required'],
  [
    'content of the wrong type',
    { messages: [{ role: 'user', content: 7 }] },
    'messages.0.content: Input should be a valid list',
  ],
  [
    'a message with an unknown field',
    { messages: [{ ...userSays('a'), name: 'b' }] },
    'messages.0.name: Extra inputs are not permitted',
  ],
  [
    'an assistant who begins',
    { messages: [{ role: 'assistant', content: 'hello' }] },
    'messages: first message must use the "user" role',
  ],
  [
    'a system message that begins',
    { messages: [{ role: 'system', content: 'x' }] },
    "messages.0: role 'system' cannot be the first message; use the top-level `system` parameter",
  ],
  [
    'empty content',
    { messages: [{ role: 'user', content: '' }] },
    'messages.0: all messages must have non-empty content except for the optional final assistant message',
  ],
  [
    'an empty list of content',
    messages({ role: 'assistant', content: [] }, userSays('and?')),
    'messages.1: all messages must have non-empty content except for the optional final assistant message',
  ],
  [
    'a final assistant text with space behind',
    messages({ role: 'assistant', content: 'so ' }),
    'messages: final assistant content cannot end with trailing whitespace',
  ],
  ['a block that is no object', content('hello'), `messages.0.content.0: ${NOT_AN_OBJECT}`],
  ['a block without a type', content({ text: 'hello' }), 'messages.0.content.0.type: Field required'],
  [
    'an unknown block',
    content({ type: 'video' }),
    "messages.0.content.0: Input tag 'video' found using 'type' does not match any of the expected tags: 'document', 'image', 'redacted_thinking', 'search_result', 'text', 'thinking', 'tool_result', 'tool_use'",
  ],
  ['a text block without text', content({ type: 'text' }), 'messages.0.content.0.text.text: Field required'],
  [
    'a text block with an unknown field',
    content(text('a', { colour: 'red' })),
    'messages.0.content.0.text.colour: Extra inputs are not permitted',
  ],
  ['an empty text block', content(text('')), 'messages: text content blocks must be non-empty'],
  [
    'a blank text block',
    content(text(' \n')),
    'messages: text content blocks must contain non-whitespace text',
  ],
  [
    'a cached empty text block',
    content(text('', cache())),
    'messages.0.content.0.text: cache_control cannot be set for empty text blocks',
  ],
  [
    'an unknown cache type',
    content(text('a', { cache_control: { type: 'forever' } })),
    "messages.0.content.0.text.cache_control: Input tag 'forever' found using 'type' does not match any of the expected tags: 'ephemeral'",
  ],
  [
    'five cache breakpoints',
    content(...'abcde'.split('').map((letter) => text(letter, cache()))),
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  ],
  [
    'five breakpoints, one of them in a result and one at the top',
    {
      ...messages(used, {
        role: 'user',
        content: [
          result('toolu_1', { content: [text('a', cache())], ...cache() }),
          text('b', cache()),
          text('c', cache()),
        ],
      }),
      ...cache(),
    },
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  ],
  [
    'a long-lived breakpoint behind a short one',
    content(text('a', cache('5m')), text('b', cache('1h'))),
    "messages.0.content.1.cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block. Note that blocks are processed in the following order: `tools`, `system`, `messages`.",
  ],

  // Tool uses and results
  [
    'a tool use without a result',
    messages(used, userSays('and?')),
    `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_1. ${PAIRING}`,
  ],
  [
    'a tool use at the end',
    messages(used),
    `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_1. ${PAIRING}`,
  ],
  [
    'a result behind other content',
    messages(used, { role: 'user', content: [text('so'), result('toolu_1')] }),
    `messages.1: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: toolu_1. ${PAIRING}`,
  ],
  [
    'a result for nothing',
    content(result('toolu_9')),
    'messages.0.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_9. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
  ],
  [
    'a result for an older use',
    messages(
      used,
      { role: 'user', content: [result('toolu_1')] },
      { role: 'assistant', content: 'done' },
      { role: 'user', content: [result('toolu_1')] },
    ),
    'messages.4.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_1. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
  ],
  [
    'two results for one use',
    messages(used, { role: 'user', content: [result('toolu_1'), result('toolu_1')] }),
    'messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: toolu_1',
  ],
  [
    'one id for two uses',
    messages(used, { role: 'user', content: [result('toolu_1')] }, used, {
      role: 'user',
      content: [result('toolu_1')],
    }),
    'messages.3.content.0: `tool_use` ids must be unique',
  ],
  [
    'a picture in an error',
    messages(used, {
      role: 'user',
      content: [
        result('toolu_1', { is_error: true, content: [{ type: 'image', source: base64(png(1, 1)) }] }),
      ],
    }),
    'messages.2.content.0.tool_result: all content must be type "text" if "is_error" is true',
  ],
  [
    'a tool use of the user',
    content({ type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} }),
    'messages.0.content.0: `tool_use` blocks can only be in `assistant` messages',
  ],
  [
    'a result of the assistant',
    assistant(result('toolu_1')),
    'messages.1.content.0: `tool_result` blocks can only be in `user` messages',
  ],
  [
    'a picture of the assistant',
    assistant({ type: 'image', source: base64(png(1, 1)) }),
    'messages.1.content.0: `image` blocks can only be in `user` messages',
  ],
  [
    'a tool use without input',
    assistant({ type: 'tool_use', id: 'toolu_1', name: 'bash' }),
    'messages.1.content.0.tool_use.input: Field required',
  ],
  [
    'a tool input that is a text',
    assistant({ type: 'tool_use', id: 'toolu_1', name: 'bash', input: '{}' }),
    'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
  ],
  [
    'an odd tool use id',
    assistant({ type: 'tool_use', id: 'a b', name: 'bash', input: {} }),
    "messages.1.content.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'",
  ],
  [
    'a result without its id',
    content({ type: 'tool_result' }),
    'messages.0.content.0.tool_result.tool_use_id: Field required',
  ],
  [
    'an is_error that is no boolean',
    content(result('toolu_1', { is_error: 'no' })),
    'messages.0.content.0.tool_result.is_error: Input should be a valid boolean',
  ],
  [
    'an unknown block in a result',
    content(result('toolu_1', { content: [{ type: 'tool_use' }] })),
    "messages.0.content.0.tool_result.content.0: Input tag 'tool_use' found using 'type' does not match any of the expected tags: 'document', 'image', 'search_result', 'text', 'tool_reference'",
  ],
  [
    'a cached thinking block',
    assistant({ type: 'thinking', thinking: 't', signature: 's', ...cache() }),
    'messages.1.content.0.thinking.cache_control: Extra inputs are not permitted',
  ],

  // Pictures and documents
  [
    'an unknown picture source',
    image({ type: 'ftp' }),
    "messages.0.content.0.image.source: Input tag 'ftp' found using 'type' does not match any of the expected tags: 'base64', 'file', 'url'",
  ],
  [
    'an unknown picture format',
    image(base64(png(1, 1), 'image/tiff')),
    "messages.0.content.0.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'",
  ],
  [
    'a picture without data',
    image({ type: 'base64', media_type: 'image/png' }),
    'messages.0.content.0.image.source.base64.data: Field required',
  ],
  [
    'base64 that is none',
    image(base64('not base64!')),
    'messages.0.content.0.image.source.base64: invalid base64 data',
  ],
  [
    'base64 for addresses',
    image(base64(`${png(1, 1).slice(0, -4)}-_-_`)),
    'messages.0.content.0.image.source.base64: invalid base64 data',
  ],
  [
    'base64 with a line end in it',
    image(base64(`${png(1, 1).slice(0, -4)}\n\n\n\n`)),
    'messages.0.content.0.image.source.base64: invalid base64 data',
  ],
  [
    'bytes that are no picture',
    image(base64('aGVsbG8gd29ybGQh')),
    'messages.0.content.0.image.source.base64.data: Could not process image',
  ],
  [
    'a picture of another format',
    image(base64(jpeg(4, 4))),
    'messages.0.content.0.image.source.base64: The image was specified using the image/png media type, but the image appears to be a image/jpeg image',
  ],
  [
    'a picture too large',
    image(base64(png(9, 9, 5_242_881))),
    'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 5242881 bytes > 5242880 bytes',
  ],
  [
    'a picture too wide',
    image(base64(png(8001, 5))),
    'messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels',
  ],
  [
    'a wide one of many pictures',
    content(...Array.from({ length: 21 }, () => ({ type: 'image', source: base64(png(2001, 5)) }))),
    'messages.0.content.0.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels',
  ],
  [
    'a bad picture in a result',
    messages(used, {
      role: 'user',
      content: [result('toolu_1', { content: [{ type: 'image', source: base64('AAAA') }] })],
    }),
    'messages.2.content.0.tool_result.content.0.image.source.base64.data: Could not process image',
  ],
  [
    'a document that is no PDF',
    content({ type: 'document', source: { type: 'base64', media_type: 'text/html', data: 'AAAA' } }),
    "messages.0.content.0.document.source.base64.media_type: Input should be 'application/pdf'",
  ],
];

it.each(cases)('%s', (_what, change, message) => {
  const refused = (): unknown => parseMessageRequest({ ...valid, ...change }, { betas: [COMPUTER_USE] });
  expect(refused).toThrow(
    expect.objectContaining({ message, type: 'invalid_request_error', status: 400 }) as Error,
  );
  expect(refused).toThrow(InvalidRequest);
});

it('says of pictures too large which they are and what would do', () => {
  const wide = { type: 'image', source: base64(png(9000, 5)) };
  const small = { type: 'image', source: base64(png(5, 5)) };
  const body = {
    ...valid,
    ...messages(used, {
      role: 'user',
      content: [result('toolu_1', { content: [small, wide] }), small, wide],
    }),
  };
  expect(() => parseMessageRequest(body, { betas: [] })).toThrow(
    expect.objectContaining({
      details: {
        error_code: 'image_dimensions_too_large',
        max_side_length_pixels: 8000,
        paths: ['messages.2.content.0.content.1', 'messages.2.content.2'],
      },
    }) as Error,
  );
});
