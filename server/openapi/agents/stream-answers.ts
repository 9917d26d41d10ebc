import { z } from 'zod';
import { message } from './answers.ts';
import { errorAnswer } from './shapes.ts';

/** An event of a streamed reply as clients read it. */

const typed = z.looseObject({ type: z.string() });
const index = z.int().min(0);

export const messageEvent = z.union([
  z.object({ type: z.literal('message_start'), message }),
  z.object({ type: z.literal('content_block_start'), index, content_block: typed }),
  z.object({ type: z.literal('content_block_delta'), index, delta: typed }),
  z.object({ type: z.literal('content_block_stop'), index }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.looseObject({ stop_reason: z.string().nullable(), stop_sequence: z.string().nullable() }),
    usage: z.looseObject({ output_tokens: z.int().min(0) }),
  }),
  z.object({ type: z.literal('message_stop') }),
  z.object({ type: z.literal('ping') }),
  errorAnswer,
]);
