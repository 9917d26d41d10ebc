import { z } from 'zod';
import { ApiError, type Takeover } from '@steadyhand/contracts';
import type { Sessions } from '@steadyhand/sessions';
import { personInput } from '../routes/event-shapes.ts';
import type { SandboxService, SessionRuntime, WatchingService } from '../routes/services.ts';
import { named } from '../routing/components.ts';
import { count, json, optional, time } from '../routing/shapes.ts';
import { type Call, routesOf, type DeepReadonly } from '../routing/route.ts';
import type { Tickets } from './tickets.ts';

const ticketBody = z.strictObject({ takeover_id: z.string().nullable().default(null) });

const takeoverBody = z.strictObject({
  record: z.enum(['full', 'no_keys']).default('full'),
  interrupt: z.boolean().default(false),
  disconnect_after_s: z.int().min(5).max(3600).default(60),
  expires_after_s: z.int().min(10).max(86_400).default(3600),
});

const handbackBody = z.strictObject({ takeover_id: z.string() });

const vncTicket = z.object({
  type: z.literal('vnc_ticket'),
  ticket: z.string(),
  expires_at: time,
  path: z.string().describe('Where the WebSocket is'),
});

const takeover = z.union([
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
type TakeoverAnswer = DeepReadonly<z.output<typeof takeover>>;

const takeoverPage = z.object({
  takeover: takeover.nullable().describe('The newest; null when there was none'),
  inputs: z.array(personInput),
  next: z.int().describe('Send it as `after`'),
  has_more: z.boolean(),
});
type TakeoverPageAnswer = DeepReadonly<z.output<typeof takeoverPage>>;

named({
  vncTicketCreate: ticketBody,
  takeoverCreate: takeoverBody,
  takeoverHandback: handbackBody,
  vncTicket,
  takeover,
  takeoverPage,
});

export interface WatchingRouteDeps {
  readonly newId: (prefix: string) => string;
  readonly runtime: Pick<SessionRuntime, 'takeOver' | 'handBack'>;
  readonly sandboxes: Pick<SandboxService, 'get'>;
  readonly sessions: Pick<Sessions, 'retrieve'>;
  readonly watching: WatchingService;
  readonly tickets: Tickets;
}

const ofSession = routesOf<WatchingRouteDeps>()('Sessions', { id: 'A session’s id, `sesn_…`' });
const ofSandbox = routesOf<WatchingRouteDeps>()('Sandboxes', { id: 'A sandbox’s id, `sbx_…`' });

/** What the routes of sessions and of sandboxes have in common. */
const TICKET = {
  description:
    'Good for one WebSocket at `path` of any server within 30 s, as the subprotocol `ticket.…` beside `binary`. View-only, unless `takeover_id` names the takeover whose hand it is.',
  body: optional(json(ticketBody, {})),
  answer: vncTicket,
};
const NEWEST = { query: { after: count.default(0) }, answer: takeoverPage, errors: [500] };
const TAKE = { body: optional(json(takeoverBody, {})), answer: takeover, errors: [409, 500] };
const HAND_BACK = { body: json(handbackBody, { takeover_id: 'tkov_…' }), answer: takeover };

/** Watching a screen and taking it over: of a session's sandbox, and of one without a session. */
export const watchingRoutes = [
  ofSession(
    'POST /v1/sessions/{id}/vnc_ticket',
    'createSessionVncTicket',
    'Ask for a ticket to watch the screen',
    {
      ...TICKET,
      errors: [409],
      handle: async ({ sessions, tickets }, { params, body }) => {
        const { id, sandbox_id: sandbox } = await sessions.retrieve(params.id);
        if (sandbox === null) throw new ApiError('conflict_error', `Session ${id} has no sandbox yet`);
        return ticketTo('sessions', params.id, tickets.issue({ sandbox, takeover: body.takeover_id }));
      },
    },
  ),
  ofSandbox(
    'POST /v1/sandboxes/{id}/vnc_ticket',
    'createSandboxVncTicket',
    'Ask for a ticket to watch the screen',
    {
      ...TICKET,
      handle: async ({ sandboxes, tickets }, { params, body }) => {
        const { id: sandbox } = await sandboxes.get(params.id);
        return ticketTo('sandboxes', params.id, tickets.issue({ sandbox, takeover: body.takeover_id }));
      },
    },
  ),
  ofSession(
    'GET /v1/sessions/{id}/takeover',
    'retrieveSessionTakeover',
    'Retrieve the newest takeover and what was done in it',
    {
      ...NEWEST,
      handle: async ({ sessions, watching }, { params, search }) => {
        const { sandbox_id: sandbox } = await sessions.retrieve(params.id);
        return sandbox === null ? NEVER : await page(watching, sandbox, search);
      },
    },
  ),
  ofSandbox(
    'GET /v1/sandboxes/{id}/takeover',
    'retrieveSandboxTakeover',
    'Retrieve the newest takeover and what was done in it',
    {
      ...NEWEST,
      handle: async ({ sandboxes, watching }, { params, search }) =>
        page(watching, (await sandboxes.get(params.id)).id, search),
    },
  ),
  ofSession('POST /v1/sessions/{id}/takeover', 'takeOverSession', 'Take mouse and keyboard', {
    ...TAKE,
    description:
      'The action under way is finished, or with `interrupt` stopped; the agent waits until the computer is handed back, and is shown the screen then.',
    handle: async ({ sessions, runtime, newId }, call) => {
      const { id, archived_at } = await sessions.retrieve(call.params.id);
      if (archived_at != null) throw new ApiError('conflict_error', `Session ${id} is archived`);
      const { terms, interrupt } = termsOf(call, newId);
      const taken = await runtime.takeOver(id, terms, { interrupt });
      return taken === null ? notBegun(terms.id, 'pending') : view(taken);
    },
  }),
  ofSandbox('POST /v1/sandboxes/{id}/takeover', 'takeOverSandbox', 'Take mouse and keyboard', {
    ...TAKE,
    description:
      'The action under way is finished, or with `interrupt` stopped; until the computer is handed back, `tool_results` answers 409.',
    handle: async ({ sandboxes, watching, newId }, call) => {
      const { id } = await sandboxes.get(call.params.id);
      const { terms, interrupt } = termsOf(call, newId);
      await refuseOfSession(watching, id);
      return view(await watching.takeOver(id, terms, { interrupt }));
    },
  }),
  ofSession('POST /v1/sessions/{id}/handback', 'handBackSession', 'Hand mouse and keyboard back', {
    ...HAND_BACK,
    description: 'One that is still `pending` is withdrawn.',
    errors: [409, 500],
    handle: async ({ sessions, runtime }, { params, body }) => {
      const { id } = await sessions.retrieve(params.id);
      const ended = await runtime.handBack(id, body.takeover_id);
      return ended === null ? notBegun(body.takeover_id, 'withdrawn') : view(ended);
    },
  }),
  ofSandbox('POST /v1/sandboxes/{id}/handback', 'handBackSandbox', 'Hand mouse and keyboard back', {
    ...HAND_BACK,
    errors: [500],
    handle: async ({ sandboxes, watching }, { params, body }) => {
      const { id } = await sandboxes.get(params.id);
      return view(await watching.handBack(id, body.takeover_id));
    },
  }),
];

function ticketTo(
  kind: 'sessions' | 'sandboxes',
  id: string,
  issued: ReturnType<Tickets['issue']>,
): z.output<typeof vncTicket> {
  return { type: 'vnc_ticket', ...issued, path: `/v1/${kind}/${encodeURIComponent(id)}/vnc` };
}

function termsOf(
  { body: { interrupt, ...terms } }: Pick<Call<never, z.output<typeof takeoverBody>>, 'body'>,
  newId: WatchingRouteDeps['newId'],
): { readonly terms: Parameters<WatchingService['takeOver']>[1]; readonly interrupt: boolean } {
  return { terms: { id: newId('tkov'), ...terms }, interrupt };
}

async function page(
  watching: WatchingService,
  sandbox: string,
  search: URLSearchParams,
): Promise<TakeoverPageAnswer> {
  const after = Number(search.get('after') ?? 0);
  if (!Number.isSafeInteger(after) || after < 0)
    throw new ApiError('invalid_request_error', 'after: Input should be a whole number of 0 or more');
  const { takeover: newest, inputs, next, more } = await watching.read(sandbox, after);
  return { takeover: newest === null ? null : view(newest), inputs, next, has_more: more };
}

/** Refuses to take over a session's sandbox, because its agent would not know that somebody is there. */
async function refuseOfSession(watching: WatchingService, sandbox: string): Promise<void> {
  const owner = await watching.sessionOf(sandbox);
  if (owner === null) return;
  throw new ApiError(
    'conflict_error',
    `The sandbox belongs to ${owner}: POST /v1/sessions/${owner}/takeover makes its agent wait`,
  );
}

const NEVER: TakeoverPageAnswer = { takeover: null, inputs: [], next: 0, has_more: false };

function notBegun(id: string, status: 'pending' | 'withdrawn'): TakeoverAnswer {
  return { id, type: 'takeover', status };
}

function view({ id, ended, ...rest }: Takeover): TakeoverAnswer {
  return { id, type: 'takeover', status: ended === null ? 'active' : 'ended', ...rest, ended };
}
