import type { z } from 'zod';
import { requestSchema, TOOL_BETAS } from '@steadyhand/messages';

/** A body of `POST /v1/messages` under every beta that matters to its shape. */
export const messageBody: z.ZodType = requestSchema(TOOL_BETAS);

export const SCRIPT_EXAMPLE = {
  model: 'script',
  max_tokens: 1024,
  messages: [{ role: 'user', content: '- say: hello' }],
};
