import { z } from 'zod';
import { message } from './answers.ts';
import { anyObject } from './shapes.ts';

const turn = z.object({
  id: z.string().describe('A hash of the whole request'),
  after: z.exactOptional(z.string()).describe('The turn whose messages and reply come before `messages`'),
  request: z
    .exactOptional(anyObject)
    .describe('What stands beside the messages; left out where it is as in the turn before'),
  messages: z
    .array(z.object({ role: z.enum(['user', 'assistant', 'system']), content: z.array(anyObject) }))
    .describe('All, or those that are new since the turn before'),
  reply: message,
});

export const recording = z.object({
  type: z.literal('recording'),
  version: z.literal(1),
  source: anyObject,
  turns: z.array(turn),
});
