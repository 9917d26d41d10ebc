import { z } from 'zod';
import {
  contentBlock,
  customTool,
  documentBlock,
  imageBlock,
  requestSchema,
  searchResultBlock,
  textBlock,
  TOOL_BETAS,
  toolReferenceBlock,
  toolResultBlock,
  toolUseBlock,
} from '@steadyhand/messages';
import { named } from '../routing/components.ts';
import { anyObject, count, errorAnswer } from '../routing/shapes.ts';

/** A body of `POST /v1/messages` under every beta that matters to its shape. */
export const messageBody: z.ZodType = requestSchema(TOOL_BETAS);

export const SCRIPT_EXAMPLE = {
  model: 'script',
  max_tokens: 1024,
  messages: [{ role: 'user', content: '- say: hello' }],
};

/** The header that names betas. */
export const betas = {
  'anthropic-beta': z
    .string()
    .describe('Betas, separated by commas; the provider-defined tools need theirs')
    .optional(),
};

/** A reply as the Messages API has it. A provider's own blocks and counts pass through. */
export const message = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(
    z.union([
      z.looseObject({ type: z.literal('text'), text: z.string() }),
      z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: anyObject }),
      z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
      z.looseObject({ type: z.string() }),
    ]),
  ),
  stop_reason: z.string().nullable(),
  stop_sequence: z.string().nullable(),
  usage: z.looseObject({ input_tokens: count, output_tokens: count }),
});

const typed = z.looseObject({ type: z.string() });
const index = count;

/** An event of a streamed reply. */
export const messageEvent = z.union([
  z.object({ type: z.literal('message_start'), message }),
  z.object({ type: z.literal('content_block_start'), index, content_block: typed }),
  z.object({ type: z.literal('content_block_delta'), index, delta: typed }),
  z.object({ type: z.literal('content_block_stop'), index }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.looseObject({ stop_reason: z.string().nullable(), stop_sequence: z.string().nullable() }),
    usage: z.looseObject({ output_tokens: count }),
  }),
  z.object({ type: z.literal('message_stop') }),
  z.object({ type: z.literal('ping') }),
  errorAnswer,
]);

named({
  contentBlock: contentBlock,
  textBlock: textBlock,
  imageBlock: imageBlock,
  documentBlock: documentBlock,
  searchResultBlock: searchResultBlock,
  toolReferenceBlock: toolReferenceBlock,
  toolUseBlock: toolUseBlock,
  toolResultBlock: toolResultBlock,
  customTool,
  messageRequest: messageBody,
  message,
});
