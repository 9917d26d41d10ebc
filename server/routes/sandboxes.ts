import { Router } from 'express';
import { z } from 'zod';
import { AGENT_TOOLSET, type DamagedSandboxInfo, type SandboxInfo } from '@steadyhand/contracts';
import { agentTools, parse, Query } from '@steadyhand/sessions';
import type { ServerDeps } from '../deps.ts';
import { goneSignal } from '../gone-signal.ts';
import { pathPart, queryOf } from '../query.ts';
import { route } from '../routing.ts';
import { sandboxDamaged } from '../sandbox-damaged.ts';
import { policiesOf, underPolicies } from './sandbox-policy.ts';
import { isToolset, toToolResults } from './tool-results.ts';
import { idempotencyOf } from './idempotency.ts';
import { createBody, toNetworking } from './sandbox-create.ts';

const pixels = z.int().min(1).max(8192);

const toolDefinition = z
  .looseObject({
    type: z.string(),
    name: z.exactOptional(z.string()),
    display_width_px: z.exactOptional(pixels),
    display_height_px: z.exactOptional(pixels),
    display_number: z.exactOptional(z.int().min(0).nullable()),
    enable_zoom: z.exactOptional(z.boolean()),
  })
  .superRefine((tool, context) => {
    const { type, name } = tool;
    // A toolset has members instead.
    if (name === undefined && !isToolset({ type }))
      context.addIssue({ code: 'custom', path: ['name'], message: 'Field required' });
    if (type !== AGENT_TOOLSET || name !== undefined) return;
    for (const { message, path } of agentTools.safeParse([tool]).error?.issues ?? [])
      context.addIssue({ code: 'custom', path: path.slice(1), message });
  });
const toolUse = z.looseObject({
  type: z.literal('tool_use'),
  id: z.string().min(1).max(256),
  name: z.string(),
  toolset_name: z.exactOptional(z.nullable(z.string())),
  input: z.unknown(),
});
/** A reply's content as it came: what is no tool use (its text, its thinking) is passed over. */
const replyBlock = z.union([
  toolUse,
  z.looseObject({ type: z.string().refine((type) => type !== 'tool_use') }),
]);
export const toolResultsBody = z.strictObject({
  tools: z.array(toolDefinition),
  content: z.array(replyBlock),
});

/** `/v1/sandboxes`: a computer without a session, for people who bring their own loop. */
export function sandboxRoutes({
  sandboxes,
  policy,
  requireRoom,
}: Pick<ServerDeps, 'sandboxes' | 'policy' | 'requireRoom'>): Router {
  const router = Router();
  route(router, '/v1/sandboxes', {
    get: async (_req, res) => void res.json({ data: (await sandboxes.list()).map(view) }),
    post: async (req, res) => {
      const body = parse(createBody, req.body ?? {});
      const { networking, snapshot_id: snapshotId, ...rest } = body;
      requireRoom?.();
      const asked = { ...rest, snapshotId, networking: toNetworking(networking) };
      res.json(view(await sandboxes.create({ ...asked, idempotency: idempotencyOf(req, res, body) })));
    },
  });
  route(router, '/v1/sandboxes/:id', {
    get: async (req, res) => void res.json(view(await sandboxes.get(pathPart(req, 'id')))),
    delete: async (req, res) => {
      const id = pathPart(req, 'id');
      await sandboxes.delete(id);
      res.json({ id, type: 'sandbox_deleted' });
    },
  });
  route(router, '/v1/sandboxes/:id/network_log', {
    get: async (req, res) => {
      const query = new Query(queryOf(req), ['after', 'limit']);
      const after = query.integer('after', { min: 0 }) ?? 0;
      const limit = query.integer('limit', { min: 1, max: 1000 }) ?? 1000;
      res.json(await sandboxes.networkLog(pathPart(req, 'id'), { after, limit }));
    },
  });
  route(router, '/v1/sandboxes/:id/screenshot', {
    get: async (req, res) => {
      const png = await sandboxes.screenshot(pathPart(req, 'id'));
      res.set({ 'content-type': 'image/png', 'cache-control': 'no-store' }).send(Buffer.from(png));
    },
  });
  route(router, '/v1/sandboxes/:id/tool_results', {
    post: async (req, res) => {
      const sandbox = await sandboxes.get(pathPart(req, 'id'));
      if (sandbox.isolation === null) throw sandboxDamaged(sandbox.reason);
      const { id } = sandbox;
      const held = underPolicies(sandboxes, policiesOf(policy, sandbox));
      const { tools, content } = parse(toolResultsBody, req.body);
      const gone = goneSignal(res);
      const uses = content.flatMap((block) => toolUse.safeParse(block).data ?? []);
      // In order: a later action may rest on an earlier one. When the client goes away the one under way is finished
      // and no other begun, so that asking again under the same ids gives its result and does the rest.
      const results = await toToolResults(tools, uses, (actions) =>
        held.performAll(id, actions, { signal: gone }),
      ).catch((error: unknown) => {
        if (gone.aborted) return null;
        throw error;
      });
      if (results === null) return;
      res.json({ content: results });
    },
  });
  return router;
}

function view({ id, ...info }: SandboxInfo | DamagedSandboxInfo): object {
  return { id, type: 'sandbox', ...info };
}
