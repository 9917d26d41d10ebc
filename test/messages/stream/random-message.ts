import { fc } from '../../support/fast-check.ts';
import type { ContentBlock, Message } from '../../../messages/api/api-types.ts';

/** Text as models write it, long enough at times to be cut into several deltas; whole surrogate pairs only. */
const words = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 9 }), fc.integer({ min: 1, max: 400 }))
      .map(([part, times]) => part.repeat(times)),
  },
);

const id = fc.stringMatching(/^toolu_[A-Za-z0-9]{8}$/);

/** JSON that survives a trip through every SDK: no -0, no keys that are prototypes'. */
const input = fc.dictionary(
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((key) => !(key in {})),
  fc.oneof(
    words,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.integer(), { maxLength: 4 }),
    fc.record({ nested: words }),
  ),
  { maxKeys: 4 },
);

const citation = fc.record({
  type: fc.constant('char_location' as const),
  cited_text: words,
  document_index: fc.nat(),
  document_title: fc.option(words),
  end_char_index: fc.nat(),
  file_id: fc.constant(null),
  start_char_index: fc.nat(),
});

/** Half of them uncited, none cited by an empty list: that is what a stream cannot tell from the former. */
const text = fc.record({
  type: fc.constant('text' as const),
  text: words,
  citations: fc.option(fc.array(citation, { minLength: 1, maxLength: 3 })),
});

const blocks: fc.Arbitrary<ContentBlock> = fc.oneof(
  text,
  fc.record({ type: fc.constant('tool_use' as const), id, name: fc.constantFrom('bash', 'computer'), input }),
  fc.record({
    type: fc.constant('tool_use' as const),
    id,
    name: fc.constantFrom('left_click', 'type'),
    input,
    toolset_name: fc.constant('computer'),
  }),
  fc.record({
    type: fc.constant('server_tool_use' as const),
    id,
    name: fc.constantFrom('web_search' as const, 'code_execution' as const),
    input,
  }),
  fc.record({
    type: fc.constant('mcp_tool_use' as const),
    id,
    name: fc.constant('ask'),
    server_name: fc.constant('there'),
    input,
  }),
  fc.record({ type: fc.constant('thinking' as const), thinking: words, signature: fc.base64String() }),
  fc.record({ type: fc.constant('redacted_thinking' as const), data: fc.base64String() }),
  fc.record({
    type: fc.constant('compaction' as const),
    content: fc.option(words),
    encrypted_content: fc.option(fc.base64String()),
  }),
  fc.record({
    type: fc.constant('web_search_tool_result' as const),
    tool_use_id: id,
    content: fc.array(
      fc.record({
        type: fc.constant('web_search_result' as const),
        encrypted_content: fc.base64String(),
        page_age: fc.option(words),
        title: words,
        url: fc.webUrl(),
      }),
      { maxLength: 3 },
    ),
  }),
);

const fallback = fc.constant({
  type: 'fallback' as const,
  from: { model: 'claude-first' },
  to: { model: 'claude-second' },
  trigger: { type: 'refusal' as const, category: null },
});

const content = fc
  .tuple(fc.array(blocks, { maxLength: 6 }), fc.option(fallback, { freq: 8 }))
  .map(([list, hop]) => (hop === null ? list : [...list.slice(0, 1), hop, ...list.slice(1)]));

const count = fc.nat({ max: 200_000 });

/** Messages with every kind of block that a reply may hold. */
export const messages: fc.Arbitrary<Message> = fc
  .record({
    content,
    stop: fc.constantFrom(
      { stop_reason: 'end_turn' as const, stop_sequence: null },
      { stop_reason: 'tool_use' as const, stop_sequence: null },
      { stop_reason: 'stop_sequence' as const, stop_sequence: 'END' },
    ),
    counts: fc.tuple(count, count, count, count),
    thought: fc.option(count),
    container: fc.option(
      fc.constant({ id: 'container_1', expires_at: '2026-11-22T00:00:00Z', skills: null }),
    ),
    context_management: fc.option(
      fc.constant<Message['context_management']>({
        applied_edits: [{ type: 'clear_tool_uses_20250919', cleared_input_tokens: 9, cleared_tool_uses: 2 }],
      }),
    ),
  })
  .map(({ content, stop, counts, thought, ...rest }) => ({
    id: 'msg_random',
    type: 'message',
    role: 'assistant',
    model: content.some((block) => block.type === 'fallback') ? 'claude-second' : 'claude-random',
    content: content as ContentBlock[],
    ...stop,
    stop_details: null,
    diagnostics: null,
    ...rest,
    usage: {
      input_tokens: counts[0],
      output_tokens: counts[1],
      cache_creation_input_tokens: counts[2],
      cache_read_input_tokens: counts[3],
      cache_creation: { ephemeral_5m_input_tokens: counts[2], ephemeral_1h_input_tokens: 0 },
      output_tokens_details: thought === null ? null : { thinking_tokens: thought },
      server_tool_use: null,
      iterations: null,
      fallback_credit: null,
      inference_geo: null,
      service_tier: 'standard',
      speed: null,
    },
  }));
