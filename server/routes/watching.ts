import { type Request, Router } from 'express';
import { z } from 'zod';
import { ApiError, type Takeover, type TakeoverStart } from '@steadyhand/contracts';
import { parse } from '@steadyhand/sessions';
import type { ServerDeps } from '../deps.ts';
import { pathPart, queryOf } from '../query.ts';
import { route } from '../routing.ts';
import type { Tickets } from '../watching/tickets.ts';

export const ticketBody = z.strictObject({ takeover_id: z.string().nullable().default(null) });
export const takeoverBody = z.strictObject({
  record: z.enum(['full', 'no_keys']).default('full'),
  interrupt: z.boolean().default(false),
  disconnect_after_s: z.int().min(5).max(3600).default(60),
  expires_after_s: z.int().min(10).max(86_400).default(3600),
});
export const handbackBody = z.strictObject({ takeover_id: z.string() });

interface WatchingRouteDeps extends Pick<
  ServerDeps,
  'newId' | 'runtime' | 'sandboxes' | 'sessions' | 'watching'
> {
  readonly tickets: Tickets;
}

/** Watching a screen and taking it over: of a session's sandbox, and of one without a session. */
export function watchingRoutes(deps: WatchingRouteDeps): Router {
  const { newId, runtime, sandboxes, sessions, tickets, watching } = deps;
  const router = Router();

  const ofSession = async (req: Request): Promise<string> => {
    const { id, sandbox_id } = await sessions.retrieve(pathPart(req, 'id'));
    if (sandbox_id === null) throw new ApiError('conflict_error', `Session ${id} has no sandbox yet`);
    return sandbox_id;
  };
  const ofSandbox = async (req: Request): Promise<string> => (await sandboxes.get(pathPart(req, 'id'))).id;

  const termsOf = (req: Request): { terms: TakeoverStart; interrupt: boolean } => {
    const { interrupt, ...terms } = parse(takeoverBody, req.body ?? {});
    return { terms: { id: newId('tkov'), ...terms }, interrupt };
  };

  for (const [kind, find] of [
    ['sessions', ofSession],
    ['sandboxes', ofSandbox],
  ] as const) {
    route(router, `/v1/${kind}/:id/vnc_ticket`, {
      post: async (req, res) => {
        const { takeover_id: takeover } = parse(ticketBody, req.body ?? {});
        const sandbox = await find(req);
        const path = `/v1/${kind}/${encodeURIComponent(pathPart(req, 'id'))}/vnc`;
        res.json({ type: 'vnc_ticket', ...tickets.issue({ sandbox, takeover }), path });
      },
    });
  }

  route(router, '/v1/sessions/:id/handback', {
    post: async (req, res) => {
      const { takeover_id } = parse(handbackBody, req.body ?? {});
      const { id } = await sessions.retrieve(pathPart(req, 'id'));
      const takeover = await runtime.handBack(id, takeover_id);
      res.json(takeover === null ? notBegun(takeover_id, 'withdrawn') : view(takeover));
    },
  });
  route(router, '/v1/sandboxes/:id/handback', {
    post: async (req, res) => {
      const { takeover_id } = parse(handbackBody, req.body ?? {});
      res.json(view(await watching.handBack(await ofSandbox(req), takeover_id)));
    },
  });
  route(router, '/v1/sessions/:id/takeover', {
    get: async (req, res) => {
      const { sandbox_id } = await sessions.retrieve(pathPart(req, 'id'));
      res.json(sandbox_id === null ? NEVER : await page(sandbox_id, req));
    },
    post: async (req, res) => {
      const { id, archived_at } = await sessions.retrieve(pathPart(req, 'id'));
      if (archived_at != null) throw new ApiError('conflict_error', `Session ${id} is archived`);
      const { terms, interrupt } = termsOf(req);
      const takeover = await runtime.takeOver(id, terms, { interrupt });
      res.json(takeover === null ? notBegun(terms.id, 'pending') : view(takeover));
    },
  });
  route(router, '/v1/sandboxes/:id/takeover', {
    get: async (req, res) => void res.json(await page(await ofSandbox(req), req)),
    post: async (req, res) => {
      const sandbox = await ofSandbox(req);
      const { terms, interrupt } = termsOf(req);
      await refuseOfSession(sandbox);
      res.json(view(await watching.takeOver(sandbox, terms, { interrupt })));
    },
  });
  return router;

  async function page(sandbox: string, req: Request): Promise<object> {
    const after = Number(queryOf(req).get('after') ?? 0);
    if (!Number.isSafeInteger(after) || after < 0)
      throw new ApiError('invalid_request_error', 'after: Input should be a whole number of 0 or more');
    const { takeover, inputs, next, more } = await watching.read(sandbox, after);
    return { takeover: takeover === null ? null : view(takeover), inputs, next, has_more: more };
  }

  /** Its agent would not know that somebody is there. */
  async function refuseOfSession(sandbox: string): Promise<void> {
    const owner = await watching.sessionOf(sandbox);
    if (owner === null) return;
    throw new ApiError(
      'conflict_error',
      `The sandbox belongs to ${owner}: POST /v1/sessions/${owner}/takeover makes its agent wait`,
    );
  }
}

const NEVER = { takeover: null, inputs: [], next: 0, has_more: false };

function notBegun(id: string, status: 'pending' | 'withdrawn'): object {
  return { id, type: 'takeover', status };
}

function view({ id, ended, ...rest }: Takeover): object {
  return { id, type: 'takeover', status: ended === null ? 'active' : 'ended', ...rest, ended };
}
