import type {
  BetaContentBlockParam,
  BetaMessageParam,
  BetaToolResultBlockParam,
  BetaToolUnion,
  MessageCreateParamsNonStreaming,
} from '@anthropic-ai/sdk/resources/beta/messages/messages.js';
import { fc } from '../../support/fast-check.ts';
import { jpeg, png } from '../support.ts';
import { fromModel, fromUser } from '../../support/blocks.ts';

/**
 * Requests as the official SDK's types allow them, for property tests: the compiler tells when the SDK's types no longer
 * allow what is made here.
 */

const word = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9 ,.é😀]{0,30}[a-z]$/u);
const id = fc.stringMatching(/^[a-zA-Z0-9_-]{1,40}$/);
const json = fc.jsonValue({ maxDepth: 3 });
const dictionary = fc.dictionary(fc.string(), json, { maxKeys: 4 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arbitrary, { nil: null });

/** Any of the optional fields, or none. */
function some<T extends object>(
  required: T,
  optional: { [K in string]: fc.Arbitrary<unknown> },
): fc.Arbitrary<T> {
  return fc
    .record(optional as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] })
    .map((fields) => ({ ...required, ...fields }));
}

const breakpoint = fc.constantFrom<{ type: 'ephemeral'; ttl?: '1h' } | null>(
  { type: 'ephemeral', ttl: '1h' },
  null,
);
const callers = fc.subarray(['direct', 'code_execution_20250825', 'code_execution_20260521'] as const);
const toolFields = {
  allowed_callers: callers,
  defer_loading: fc.boolean(),
  input_examples: fc.array(dictionary, { maxLength: 2 }),
  strict: fc.boolean(),
};
const { input_examples: _, ...serverToolFields } = toolFields;
const display = { display_width_px: 1024, display_height_px: 768 };
const displayFields = { ...toolFields, display_number: maybe(fc.nat(9)) };
const searchFields = {
  ...serverToolFields,
  allowed_domains: maybe(fc.array(word, { maxLength: 2 })),
  max_uses: maybe(fc.integer({ min: 1, max: 9 })),
  user_location: maybe(fc.constant({ type: 'approximate' as const, city: 'Bern', country: null })),
};

type Made = fc.Arbitrary<BetaToolUnion>;

const customTool: Made = fc
  .tuple(id, fc.dictionary(id, fc.oneof(fc.boolean(), dictionary), { maxKeys: 3 }))
  .chain(([name, properties]) =>
    some({ name: `my_${name}`.slice(0, 128), input_schema: { type: 'object', properties } } as const, {
      ...toolFields,
      type: fc.constantFrom('custom', null),
      description: word,
      eager_input_streaming: maybe(fc.boolean()),
    }),
  );

/** One of each family at most, so that names stay apart. */
const families: readonly (readonly Made[])[] = [
  [
    some({ type: 'computer_20241022', name: 'computer', ...display } as const, displayFields),
    some({ type: 'computer_20250124', name: 'computer', ...display } as const, displayFields),
    some({ type: 'computer_20251124', name: 'computer', ...display } as const, {
      ...displayFields,
      enable_zoom: fc.boolean(),
    }),
    some({ type: 'computer_toolset_20260801' } as const, {
      configs: maybe(fc.constant({ zoom: { enabled: false }, key: null })),
    }),
  ],
  [
    some({ type: 'text_editor_20241022', name: 'str_replace_editor' } as const, toolFields),
    some({ type: 'text_editor_20250124', name: 'str_replace_editor' } as const, toolFields),
    some({ type: 'text_editor_20250429', name: 'str_replace_based_edit_tool' } as const, toolFields),
    some({ type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' } as const, {
      ...toolFields,
      max_characters: maybe(fc.integer({ min: 1, max: 9999 })),
    }),
  ],
  [
    some({ type: 'bash_20241022', name: 'bash' } as const, toolFields),
    some({ type: 'bash_20250124', name: 'bash' } as const, toolFields),
  ],
  [
    some({ type: 'web_search_20250305', name: 'web_search' } as const, searchFields),
    some({ type: 'web_search_20260318', name: 'web_search' } as const, {
      ...searchFields,
      response_inclusion: fc.constantFrom('full', 'excluded'),
    }),
  ],
  [
    some({ type: 'web_fetch_20250910', name: 'web_fetch' } as const, {
      ...serverToolFields,
      citations: maybe(fc.constant({ enabled: true })),
      max_content_tokens: maybe(fc.integer({ min: 1, max: 999 })),
      url_sources: maybe(
        fc.constant({
          client_tool_results: { type: 'only', tools: [{ type: 'tool_reference', name: 'bash' }] },
          user_input: { type: 'none' },
        }),
      ),
    }),
    some({ type: 'web_fetch_20260318', name: 'web_fetch' } as const, { use_cache: fc.boolean() }),
  ],
  [
    some({ type: 'code_execution_20250522', name: 'code_execution' } as const, serverToolFields),
    some({ type: 'code_execution_20260521', name: 'code_execution' } as const, serverToolFields),
  ],
  [
    some({ type: 'tool_search_tool_bm25', name: 'tool_search_tool_bm25' } as const, serverToolFields),
    some(
      { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' } as const,
      serverToolFields,
    ),
  ],
  [some({ type: 'memory_20250818', name: 'memory' } as const, toolFields)],
  [
    some({ type: 'mcp_toolset', mcp_server_name: 'files' } as const, {
      configs: maybe(fc.constant({ read: { enabled: true, defer_loading: false } })),
      default_config: fc.constant({ enabled: false }),
      tools: maybe(fc.constant([{ name: 'read', input_schema: { type: 'object' }, description: null }])),
    }),
  ],
  [some({ type: 'browser_toolset_20260801' } as const, { configs: maybe(fc.constant({ zoom: null })) })],
  [
    some({ type: 'advisor_20260301', name: 'advisor', model: 'claude-x' } as const, {
      max_uses: maybe(fc.constant(2)),
    }),
  ],
  [customTool],
];

const tools: fc.Arbitrary<BetaToolUnion[]> = fc
  .subarray([...families])
  .chain((chosen) => fc.tuple(...chosen.map((family) => fc.oneof(...family))));

const text: fc.Arbitrary<BetaContentBlockParam> = word.chain((value) =>
  some({ type: 'text', text: value } as const, {
    cache_control: fc.constant(null),
    citations: fc.constant(null),
  }),
);
const picture = fc.constantFrom<BetaContentBlockParam>(
  { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(12, 9) } },
  {
    type: 'image',
    source: { type: 'base64', media_type: 'image/jpeg', data: jpeg(12, 9) },
    transformations: null,
  },
  {
    type: 'image',
    source: { type: 'url', url: 'https://example.com/a.png' },
    transformations: { oversized_image: 'error' },
  },
  { type: 'image', source: { type: 'file', file_id: 'file_1' } },
);
const pdf = Buffer.from('%PDF-1.4 /Type /Page').toString('base64');
const document = fc
  .constantFrom(
    { type: 'base64', media_type: 'application/pdf', data: pdf } as const,
    { type: 'text', media_type: 'text/plain', data: 'a' } as const,
    { type: 'content', content: 'b' } as const,
    { type: 'content', content: [{ type: 'text', text: 'c' }] } as {
      type: 'content';
      content: { type: 'text'; text: string }[];
    },
    { type: 'url', url: 'https://example.com/a.pdf' } as const,
    { type: 'file', file_id: 'file_2' } as const,
  )
  .chain((source) =>
    some({ type: 'document', source } as BetaContentBlockParam, {
      title: maybe(word),
      context: maybe(word),
      citations: maybe(fc.constant({ enabled: true })),
    }),
  );
const searchResult = fc.constant<BetaContentBlockParam>({
  type: 'search_result',
  source: 'here',
  title: 'There',
  content: [{ type: 'text', text: 'found' }],
  citations: {},
});
const said = fc.oneof(text, picture, document, searchResult);

const thought = fc.constantFrom<BetaContentBlockParam>(
  { type: 'thinking', thinking: '', signature: 's' },
  { type: 'redacted_thinking', data: 'x' },
);
const madeUpstream = fc.constantFrom<BetaContentBlockParam>(
  {
    type: 'server_tool_use',
    id: 'srvtoolu_1',
    name: 'web_search',
    input: { query: 'x' },
    caller: { type: 'direct' },
  },
  {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ type: 'web_search_result', encrypted_content: 'x', title: 't', url: 'u' }],
  },
  {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: { type: 'web_search_tool_result_error', error_code: 'unavailable' },
  },
  {
    type: 'bash_code_execution_tool_result',
    tool_use_id: 'srvtoolu_2',
    content: { type: 'bash_code_execution_result', content: [], return_code: 0, stderr: '', stdout: '' },
  },
  { type: 'mcp_tool_use', id: 'mcptoolu_1', name: 'read', server_name: 'files', input: {} },
  {
    type: 'mcp_tool_result',
    tool_use_id: 'mcptoolu_1',
    content: [{ type: 'text', text: 'a' }],
    is_error: false,
  },
  { type: 'mcp_tool_listing', mcp_server_name: 'files', tools: [{ name: 'read', input_schema: {} }] },
  { type: 'fallback', from: { model: 'a' }, to: { model: 'b' }, trigger: { any: 'thing' } },
);

const resultContent: fc.Arbitrary<NonNullable<BetaToolResultBlockParam['content']>> = fc.oneof(
  fc.string(),
  fc.constant([] as []),
  fc.array(
    fc.constantFrom<Exclude<BetaToolResultBlockParam['content'], string | undefined>[number]>(
      { type: 'text', text: 'a' },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(9, 9) } } as const,
      { type: 'tool_reference', tool_name: 'bash' } as const,
      { type: 'browser_state', tabs: [{ tab_id: 'a', title: 'b', url: 'c' }] } as {
        type: 'browser_state';
        tabs: { tab_id: string; title: string; url: string }[];
      },
    ),
    { maxLength: 2 },
  ),
);

/** A reply with uses of tools, and the user's results. */
function loop(turn: number): fc.Arbitrary<BetaMessageParam[]> {
  return fc
    .tuple(
      fc.array(fc.oneof(text, thought, madeUpstream), { maxLength: 3 }),
      fc.array(fc.tuple(id, dictionary, resultContent, fc.constantFrom(undefined, 'computer', null)), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.array(said, { maxLength: 2 }),
    )
    .map(([before, uses, after]): BetaMessageParam[] => [
      fromModel([
        ...before,
        ...uses.map(([name, input, , toolset], index) => ({
          type: 'tool_use' as const,
          id: `toolu_${turn}_${index}`,
          name,
          input,
          ...(toolset === undefined ? {} : { toolset_name: toolset }),
        })),
      ]),
      fromUser([
        ...uses.map(([, , found, toolset], index) => ({
          type: 'tool_result' as const,
          tool_use_id: `toolu_${turn}_${index}`,
          content: found,
          ...(typeof found === 'string' ? { is_error: true } : {}),
          ...(toolset === undefined ? {} : { toolset_name: toolset }),
        })),
        ...after,
      ]),
    ]);
}

const systemMessage = fc.constantFrom<BetaMessageParam>(
  { role: 'system', content: 'It is late.', clear_at: 'next_user_message' },
  { role: 'system', output_config: { effort: 'low' } },
  { role: 'system', content: [{ type: 'tool_removal', tool: { type: 'tool_reference', name: 'bash' } }] },
);

const conversation: fc.Arbitrary<BetaMessageParam[]> = fc
  .tuple(
    fc.oneof(word, fc.array(said, { minLength: 1, maxLength: 3 })),
    fc.array(
      fc.oneof(
        loop(1),
        systemMessage.map((message) => [message]),
      ),
      { maxLength: 1 },
    ),
    fc.array(loop(2), { maxLength: 1 }),
  )
  .map(([first, second, third]) => [{ role: 'user', content: first }, ...second.flat(), ...third.flat()]);

const outputConfig = fc.record(
  {
    effort: maybe(fc.constantFrom('low', 'medium', 'high', 'xhigh', 'max')),
    format: maybe(fc.record({ type: fc.constant('json_schema'), schema: dictionary })),
    task_budget: maybe(fc.constant({ type: 'tokens', total: 20_000, remaining: null })),
  },
  { requiredKeys: [] },
);

/** Requests of the newest beta client; fields of older ones are beside the SDK's types. */
export const sdkRequest: fc.Arbitrary<MessageCreateParamsNonStreaming> = fc
  .tuple(fc.integer({ min: 0, max: 9999 }), word, conversation, tools)
  .chain(([max_tokens, model, messages, offered]) =>
    some(
      {
        max_tokens,
        model,
        messages,
        ...(offered.length === 0 ? {} : { tools: offered }),
      } as MessageCreateParamsNonStreaming,
      {
        ...(offered.length === 0
          ? {}
          : {
              tool_choice: fc.constantFrom(
                { type: 'auto', disable_parallel_tool_use: true },
                { type: 'none' },
              ),
            }),
        cache_control: breakpoint,
        billing_policy: maybe(fc.constant({ type: 'billing_policy', bill_to: 'self' })),
        container: maybe(
          fc.oneof(id, fc.constant({ id: null, skills: [{ type: 'anthropic', skill_id: 'pdf' }] })),
        ),
        context_management: maybe(
          fc.constant({
            edits: [
              { type: 'clear_thinking_20251015', keep: { type: 'thinking_turns', value: 2 } },
              {
                type: 'clear_tool_uses_20250919',
                keep: { type: 'tool_uses', value: 3 },
                trigger: { type: 'input_tokens', value: 5 },
                clear_tool_inputs: ['bash'],
              },
              { type: 'compact_20260112', pause_after_compaction: true, trigger: null },
            ],
          }),
        ),
        diagnostics: maybe(fc.constant({ previous_message_id: null })),
        fallbacks: maybe(
          fc.constantFrom('default', [{ model: 'b', max_tokens: 5, thinking: { type: 'disabled' } }]),
        ),
        fallback_credit_token: maybe(fc.constantFrom('t', { token: 't', mode: 'strict' })),
        inference_geo: maybe(fc.constant('us')),
        mcp_servers: fc.constant([
          {
            type: 'url',
            name: 'files',
            url: 'https://example.com',
            authorization_token: null,
            tool_configuration: { enabled: true },
          },
        ]),
        metadata: fc.constantFrom({}, { user_id: null }, { user_id: 'someone' }),
        output_config: outputConfig,
        service_tier: fc.constantFrom('auto', 'standard_only'),
        speed: maybe(fc.constantFrom('standard', 'fast')),
        stop_sequences: fc.array(word, { maxLength: 2 }),
        stream: fc.constant(false),
        system: fc.oneof(
          word,
          fc.array(
            word.map((value) => ({ type: 'text', text: value })),
            { maxLength: 2 },
          ),
        ),
        thinking: fc.constantFrom(
          { type: 'disabled' },
          { type: 'adaptive', display: 'summarized', block_binding: { prefix_mismatch_behavior: 'error' } },
          { type: 'between_tools' },
        ),
      },
    ),
  );
