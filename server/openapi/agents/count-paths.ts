import { z } from 'zod';
import { countRequestSchema, TOOL_BETAS } from '@steadyhand/messages';
import type { Components } from '../components.ts';
import type { Parameter, Paths } from '../document.ts';
import { answers, describe, json } from './operations.ts';

/** A body of `POST /v1/messages/count_tokens` under every beta that matters to its shape. */
export const countBody: z.ZodType = countRequestSchema(TOOL_BETAS);

export const tokenCount = z.object({
  input_tokens: z.int().min(0),
  context_management: z
    .exactOptional(z.object({ original_input_tokens: z.int().min(0) }).nullable())
    .describe('Told to clients of a beta: what the request would use without its edits of the context'),
});

/** The route that counts tokens. @param betas the header that names betas */
export function countPaths(components: Components, betas: Parameter): Paths {
  return {
    '/v1/messages/count_tokens': {
      post: describe(components, 'countTokens', 'Count the tokens of a message', {
        tag: 'Messages',
        description:
          'What a request would use as input. The upstream counts for its own models; the others are counted for here.',
        parameters: [betas],
        body: json(countBody, { model: 'script', messages: [{ role: 'user', content: 'Hello' }] }),
        answer: answers(tokenCount),
        errors: [401, 402, 403, 404, 413, 429, 500, 504, 529],
      }),
    },
  };
}
