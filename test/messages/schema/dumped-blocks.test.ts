import { assertProperty, fc } from '../../support/fast-check.ts';
import { parseCountRequest, parseMessageRequest } from '../../../messages/index.ts';
import type { ContentBlock, ContentBlockParam } from '../../../messages/api/api-types.ts';
import { png } from '../support.ts';

/**
 * Clients send back what they were given as they dump it, with null for every field that was not there: Python's
 * `model_dump()`. The compiler holds these tables against the SDK's types: a new type or field is missed here first.
 */

type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type NullableKeys<T> = {
  [K in keyof T]-?: unknown extends T[K] ? never : null extends T[K] ? K : never;
}[keyof T];
type Nulls<T> = { readonly [K in OptionalKeys<T> | NullableKeys<T>]: null };
type Required<T> = { readonly [K in Exclude<keyof T, OptionalKeys<T> | NullableKeys<T>>]: T[K] };
type Table<B extends { type: string }> = {
  readonly [T in B['type']]: {
    readonly fields: Required<Extract<B, { type: T }>>;
    readonly nulls: Nulls<Extract<B, { type: T }>>;
  };
};

const CACHED = { cache_control: null } as const;
const USE = 'toolu_1';

const OF_REQUESTS: Table<ContentBlockParam> = {
  text: { fields: { type: 'text', text: 'a' }, nulls: { ...CACHED, citations: null } },
  image: {
    fields: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(9, 9) } },
    nulls: { ...CACHED, transformations: null },
  },
  document: {
    fields: { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' } },
    nulls: { ...CACHED, citations: null, context: null, title: null },
  },
  search_result: {
    fields: { type: 'search_result', source: 'a', title: 'b', content: [{ type: 'text', text: 'c' }] },
    nulls: { ...CACHED, citations: null },
  },
  thinking: { fields: { type: 'thinking', thinking: 'a', signature: 'b' }, nulls: {} },
  redacted_thinking: { fields: { type: 'redacted_thinking', data: 'a' }, nulls: {} },
  tool_use: {
    fields: { type: 'tool_use', id: USE, name: 'a', input: {} },
    nulls: { ...CACHED, caller: null, toolset_name: null },
  },
  tool_result: {
    fields: { type: 'tool_result', tool_use_id: USE },
    nulls: { ...CACHED, content: null, is_error: null, toolset_name: null },
  },
  server_tool_use: {
    fields: { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} },
    nulls: { ...CACHED, caller: null },
  },
  web_search_tool_result: {
    fields: { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
    nulls: { ...CACHED, caller: null },
  },
  web_fetch_tool_result: {
    fields: {
      type: 'web_fetch_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'web_fetch_tool_result_error', error_code: 'unavailable' },
    },
    nulls: { ...CACHED, caller: null },
  },
  advisor_tool_result: {
    fields: {
      type: 'advisor_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'advisor_tool_result_error', error_code: 'unavailable' },
    },
    nulls: CACHED,
  },
  code_execution_tool_result: {
    fields: {
      type: 'code_execution_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'code_execution_tool_result_error', error_code: 'unavailable' },
    },
    nulls: CACHED,
  },
  bash_code_execution_tool_result: {
    fields: {
      type: 'bash_code_execution_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: { type: 'bash_code_execution_tool_result_error', error_code: 'unavailable' },
    },
    nulls: CACHED,
  },
  text_editor_code_execution_tool_result: {
    fields: {
      type: 'text_editor_code_execution_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: {
        type: 'text_editor_code_execution_tool_result_error',
        error_code: 'unavailable',
        error_message: null,
      },
    },
    nulls: CACHED,
  },
  tool_search_tool_result: {
    fields: {
      type: 'tool_search_tool_result',
      tool_use_id: 'srvtoolu_1',
      content: {
        type: 'tool_search_tool_result_error',
        error_code: 'unavailable',
        error_message: null,
      },
    },
    nulls: CACHED,
  },
  mcp_tool_use: {
    fields: { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'a', server_name: 'b', input: {} },
    nulls: CACHED,
  },
  mcp_tool_result: {
    fields: { type: 'mcp_tool_result', tool_use_id: 'mcptoolu_1' },
    nulls: { ...CACHED, content: null, is_error: null },
  },
  mcp_tool_listing: {
    fields: {
      type: 'mcp_tool_listing',
      mcp_server_name: 'a',
      tools: [{ name: 'b', input_schema: {}, description: null }],
    },
    nulls: {},
  },
  container_upload: { fields: { type: 'container_upload', file_id: 'file_1' }, nulls: CACHED },
  compaction: {
    fields: { type: 'compaction' },
    nulls: { ...CACHED, content: null, encrypted_content: null, signature: null, tool_changes: null },
  },
  tool_addition: {
    fields: { type: 'tool_addition', tool: { type: 'tool_reference', name: 'a' } },
    nulls: CACHED,
  },
  tool_removal: {
    fields: { type: 'tool_removal', tool: { type: 'tool_reference', name: 'a' } },
    nulls: CACHED,
  },
  fallback: {
    fields: { type: 'fallback', from: { model: 'a' }, to: { model: 'b' } },
    nulls: { trigger: null },
  },
};

/** What a reply's blocks hold that may be null, beside what every type of them needs. */
const OF_REPLIES: { readonly [T in ContentBlock['type']]: Nulls<Extract<ContentBlock, { type: T }>> } = {
  text: { citations: null },
  thinking: {},
  redacted_thinking: {},
  tool_use: { caller: null, toolset_name: null },
  server_tool_use: { caller: null },
  web_search_tool_result: { caller: null },
  web_fetch_tool_result: { caller: null },
  advisor_tool_result: {},
  code_execution_tool_result: {},
  bash_code_execution_tool_result: {},
  text_editor_code_execution_tool_result: {},
  tool_search_tool_result: {},
  mcp_tool_use: {},
  mcp_tool_result: {},
  mcp_tool_listing: {},
  container_upload: {},
  compaction: { content: null, encrypted_content: null, signature: null, tool_changes: null },
  fallback: { trigger: null },
};

const USERS: readonly string[] = ['image', 'document', 'search_result', 'tool_result', 'container_upload'];
const result = { type: 'tool_result', tool_use_id: USE };

/** A conversation in which the block may stand. */
function around(block: Readonly<Record<string, unknown>>): readonly object[] {
  const { type } = block;
  const ask = { role: 'user', content: 'a' };
  if (type === 'tool_result') {
    const use = { type: 'tool_use', id: USE, name: 'a', input: {} };
    return [ask, { role: 'assistant', content: [use] }, { role: 'user', content: [block] }];
  }
  if (USERS.includes(String(type))) return [{ role: 'user', content: [block] }];
  const answer = type === 'tool_use' ? [result] : 'b';
  return [ask, { role: 'assistant', content: [block] }, { role: 'user', content: answer }];
}

const withNulls = (type: ContentBlockParam['type'], dumped: object): Record<string, unknown> => ({
  ...OF_REQUESTS[type].fields,
  ...dumped,
});
const read = (block: Readonly<Record<string, unknown>>): readonly unknown[] => {
  const body = { model: 'm', messages: around(block) };
  expect(() => parseCountRequest(body, { betas: [] })).not.toThrow();
  const { messages } = parseMessageRequest({ ...body, max_tokens: 1 }, { betas: [] });
  return messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
};

const requestTypes = Object.keys(OF_REQUESTS) as ContentBlockParam['type'][];

it('every block of a request may have null for any of its optional fields', () => {
  assertProperty(
    400,
    fc
      .constantFrom(...requestTypes)
      .chain((type) => fc.tuple(fc.constant(type), fc.subarray(Object.keys(OF_REQUESTS[type].nulls)))),
    ([type, fields]) => {
      const dumped = withNulls(type, Object.fromEntries(fields.map((field) => [field, null])));
      expect(() => read(dumped)).not.toThrow();
    },
  );
});

it.each(requestTypes)('a %s block may have null for all of them', (type) => {
  const blocks = read(withNulls(type, OF_REQUESTS[type].nulls));
  expect(blocks).toContainEqual(expect.objectContaining({ type }));
});

it.each(Object.entries(OF_REPLIES))('a %s block of a reply comes back as it was dumped', (type, nulls) => {
  expect(() => read(withNulls(type as ContentBlock['type'], nulls))).not.toThrow();
});

it('null for a field that never is null is taken out, as if it had not been sent', () => {
  const [use, answer] = read(withNulls('tool_result', OF_REQUESTS.tool_result.nulls));
  expect(use).toMatchObject({ type: 'tool_use' });
  expect(answer).toEqual({ ...result, ...CACHED, toolset_name: null });
  const [dumped] = read(withNulls('tool_use', OF_REQUESTS.tool_use.nulls));
  expect(dumped).not.toHaveProperty('caller');
});

it('null within the fields of a block is taken too', () => {
  for (const block of [
    { type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: null } },
    { ...withNulls('document', {}), citations: { enabled: null } },
    { ...withNulls('search_result', {}), citations: { enabled: null } },
    { ...withNulls('image', {}), transformations: { oversized_image: null } },
    {
      ...result,
      content: [
        { type: 'text', text: 'a', citations: null, cache_control: null },
        { type: 'tool_reference', tool_name: 'a', cache_control: null },
        {
          type: 'browser_state',
          tabs: [{ tab_id: 'a', title: 'b', url: 'c', active: null }],
          state_changes: null,
          cache_control: null,
        },
      ],
    },
  ]) {
    expect(() => read(block)).not.toThrow();
  }
});

it('null for a field that every block of its type has is refused, and named', () => {
  expect(() => read({ ...withNulls('tool_use', {}), name: null })).toThrow(
    'messages.1.content.0.tool_use.name: Input should be a valid string',
  );
  expect(() => read({ ...withNulls('text', {}), text: null })).toThrow(
    'messages.1.content.0.text.text: Input should be a valid string',
  );
});
