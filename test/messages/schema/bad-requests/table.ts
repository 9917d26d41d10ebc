import type { BadRequest } from './bad-request.ts';
import { COUNTS } from './counts.ts';
import { FIELDS } from './fields.ts';
import { MEDIA } from './media.ts';
import { MESSAGES } from './messages.ts';
import { REQUEST_FIELDS } from './request-fields.ts';
import { RESULTS } from './results.ts';
import { THINKING } from './thinking.ts';
import { TOOL_CHOICE } from './tool-choice.ts';
import { TOOLS } from './tools.ts';
import { UPSTREAM } from './upstream.ts';
import { WIRE } from './wire.ts';

/** Bad requests by theme. */
export const TABLE: Readonly<Record<string, readonly BadRequest[]>> = {
  wire: WIRE,
  fields: FIELDS,
  'newer fields': REQUEST_FIELDS,
  tools: TOOLS,
  'tool choice': TOOL_CHOICE,
  thinking: THINKING,
  messages: MESSAGES,
  'tool uses and results': RESULTS,
  'pictures and documents': MEDIA,
  'what only the API itself can do': UPSTREAM,
  counts: COUNTS,
};
