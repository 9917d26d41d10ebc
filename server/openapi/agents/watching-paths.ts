import { z } from 'zod';
import { handbackBody, takeoverBody, ticketBody } from '../../routes/watching.ts';
import type { Components } from '../components.ts';
import { type Operation, type Paths, pathParameter, queryParameter } from '../document.ts';
import { personInput } from './event-answers.ts';
import { answers, describe as describeWith, json } from './operations.ts';
import { time } from './shapes.ts';

export const vncTicket = z.object({
  type: z.literal('vnc_ticket'),
  ticket: z.string(),
  expires_at: time,
  path: z.string().describe('Where the WebSocket is'),
});

export const takeover = z.union([
  z.object({
    id: z.string().describe('`tkov_…`'),
    type: z.literal('takeover'),
    status: z.enum(['active', 'ended']),
    record: z.enum(['full', 'no_keys']),
    started_at: time,
    expires_at: time,
    disconnect_after_s: z.number(),
    ended: z
      .object({ reason: z.enum(['handed_back', 'disconnected', 'expired']), duration_ms: z.number() })
      .nullable(),
  }),
  z
    .object({ id: z.string(), type: z.literal('takeover'), status: z.enum(['pending', 'withdrawn']) })
    .describe(
      '`pending`: the action under way has not ended; it begins by itself then. `withdrawn`: it was handed back before it began',
    ),
]);

export const takeoverPage = z.object({
  takeover: takeover.nullable().describe('The newest; null when there was none'),
  inputs: z.array(personInput),
  next: z.int().describe('Send it as `after`'),
  has_more: z.boolean(),
});

/** Bodies and answers that are components of their own. */
export const WATCHING_SCHEMAS = {
  VncTicketCreate: ticketBody,
  VncTicket: vncTicket,
  TakeoverCreate: takeoverBody,
  Takeover: takeover,
  TakeoverHandback: handbackBody,
  TakeoverPage: takeoverPage,
};

/** Watching a screen and taking it over, for sessions and for sandboxes without one. */
export function watchingPaths(components: Components): Paths {
  return { ...pathsOf(components, 'sessions'), ...pathsOf(components, 'sandboxes') };
}

function pathsOf(components: Components, kind: 'sessions' | 'sandboxes'): Paths {
  const isSession = kind === 'sessions';
  const name = isSession ? 'Session' : 'Sandbox';
  const id = pathParameter('id', isSession ? 'A session’s id, `sesn_…`' : 'A sandbox’s id, `sbx_…`');
  const describe = (
    operation: string,
    summary: string,
    more: Omit<Parameters<typeof describeWith>[3], 'tag' | 'parameters'> & { readonly query?: typeof id },
  ): Operation => {
    const { query, ...described } = more;
    const parameters = query === undefined ? [id] : [id, query];
    return describeWith(components, operation, summary, {
      tag: isSession ? 'Sessions' : 'Sandboxes',
      parameters,
      ...described,
    });
  };
  return {
    [`/v1/${kind}/{id}/vnc_ticket`]: {
      post: describe(`create${name}VncTicket`, 'Ask for a ticket to watch the screen', {
        description:
          'Good for one WebSocket at `path` within 30 s, as the subprotocol `ticket.…` beside `binary`. View-only, unless `takeover_id` names the takeover whose hand it is.',
        body: json(ticketBody, {}, false),
        answer: answers(vncTicket),
        errors: isSession ? [404, 409] : [404],
      }),
    },
    [`/v1/${kind}/{id}/takeover`]: {
      get: describe(`retrieve${name}Takeover`, 'Retrieve the newest takeover and what was done in it', {
        query: queryParameter('after', { type: 'integer', minimum: 0, default: 0 }),
        answer: answers(takeoverPage),
        errors: [404, 500],
      }),
      post: describe(`takeOver${name}`, 'Take mouse and keyboard', {
        description: isSession
          ? 'The action under way is finished, or with `interrupt` stopped; the agent waits until the computer is handed back, and is shown the screen then.'
          : 'The action under way is finished, or with `interrupt` stopped; until the computer is handed back, `tool_results` answers 409.',
        body: json(takeoverBody, {}, false),
        answer: answers(takeover),
        errors: [404, 409, 500],
      }),
    },
    [`/v1/${kind}/{id}/handback`]: {
      post: describe(`handBack${name}`, 'Hand mouse and keyboard back', {
        ...(isSession ? { description: 'One that is still `pending` is withdrawn.' } : {}),
        body: json(handbackBody, { takeover_id: 'tkov_…' }),
        answer: answers(takeover),
        errors: isSession ? [404, 409, 500] : [404, 500],
      }),
    },
  };
}
