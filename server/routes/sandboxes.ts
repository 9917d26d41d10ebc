import { z } from 'zod';
import {
  AGENT_TOOLSET,
  type DamagedSandboxInfo,
  type Networking,
  type SandboxInfo,
} from '@steadyhand/contracts';
import { toolActions } from '@steadyhand/messages';
import { untoldSize } from '@steadyhand/sandbox/client';
import {
  type ActionPolicy,
  actionPolicy,
  agentTools,
  limit,
  networkingInput,
  networkingOf,
  Query,
} from '@steadyhand/sessions';
import { ClientGoneError, goneSignal } from '../http/gone-signal.ts';
import { named } from '../routing/components.ts';
import { bytesOf, deleted, json, optional, wholeList } from '../routing/shapes.ts';
import { type DeepReadonly, routesOf } from '../routing/route.ts';
import { idempotencyOf } from './idempotency.ts';
import { sandboxDamaged } from './sandbox-damaged.ts';
import { policiesOf, underPolicies } from './sandbox-policy.ts';
import { networkLog, sandbox, sandboxTool, toolResults } from './sandbox-shapes.ts';
import type { SandboxService, WatchingService } from './services.ts';
import { isToolset, toToolResults } from './tool-results.ts';

const pixels = z.int().min(1).max(8192);

/** The body of `POST /v1/sandboxes`. A limit that is left out is the server's own; null holds none. */
const createBody = z.strictObject({
  snapshot_id: z.exactOptional(z.string()),
  display: z.strictObject({ width: pixels, height: pixels }).default({ width: 1024, height: 768 }),
  compat: z.enum(['default', 'reference']).default('default'),
  policy: z.exactOptional(actionPolicy),
  networking: z.exactOptional(z.union([z.strictObject({ type: z.literal('none') }), networkingInput])),
  limits: z.exactOptional(
    z.strictObject({
      memory_mib: z.exactOptional(z.int().min(64).max(16_777_216).nullable()),
      processes: z.exactOptional(z.int().min(32).max(4_194_304).nullable()),
      disk_mib: z.exactOptional(z.int().min(1).max(1_073_741_824).nullable()),
      files: z.exactOptional(z.int().min(100).max(1_000_000_000).nullable()),
      cpus: z.exactOptional(z.number().min(0.05).max(1024).nullable()),
    }),
  ),
});

/** As sandboxes take it: fields of `networking` that were left out are off. */
function toNetworking(given: z.infer<typeof createBody>['networking']): Networking | undefined {
  if (given === undefined || given.type === 'none') return given;
  return networkingOf(given);
}

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
    // A toolset has members instead of a name.
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
const toolResultsBody = z.strictObject({ tools: z.array(toolDefinition), content: z.array(replyBlock) });

const logQuery = {
  after: z.int().min(0).default(0).describe('The number of the last entry that you have'),
  limit: limit(1000),
};

named({ toolResultsRequest: toolResultsBody, sandboxCreate: createBody });

export interface SandboxRouteDeps {
  readonly sandboxes: SandboxService;
  readonly watching: Pick<WatchingService, 'sessionOf'>;
  /** Rules for every action on this server's sandboxes; default: none. */
  readonly policy?: ActionPolicy | undefined;
  /** Throws StorageFullError where nothing more is to be put on the disk; default: there is always room. */
  readonly requireRoom?: () => void;
}

const route = routesOf<SandboxRouteDeps>()('Sandboxes', { id: 'A sandbox’s id, `sbx_…`' });

/** The routes of `/v1/sandboxes`, of computers without a session for people who bring their own loop. */
export const sandboxRoutes = [
  route('GET /v1/sandboxes', 'listSandboxes', 'List sandboxes', {
    answer: wholeList(sandbox),
    handle: async ({ sandboxes, watching }) => ({
      data: await Promise.all((await sandboxes.list()).map((info) => view(info, watching))),
    }),
  }),
  route('POST /v1/sandboxes', 'createSandbox', 'Create a sandbox', {
    description: 'A computer without a session, for people who bring their own loop.',
    headers: {
      'idempotency-key': z
        .string()
        .min(1)
        .max(256)
        .describe('The same key again is the same sandbox, as long as it exists')
        .optional(),
    },
    body: optional(json(createBody, { display: { width: 1024, height: 768 } })),
    answer: sandbox,
    errors: [409, 500],
    handle: async ({ sandboxes, watching, requireRoom }, { body, req, res }) => {
      const { networking, snapshot_id: snapshotId, ...rest } = body;
      requireRoom?.();
      const asked = { ...rest, snapshotId, networking: toNetworking(networking) };
      return view(await sandboxes.create({ ...asked, idempotency: idempotencyOf(req, res, body) }), watching);
    },
  }),
  route('GET /v1/sandboxes/{id}', 'retrieveSandbox', 'Retrieve a sandbox', {
    answer: sandbox,
    handle: async ({ sandboxes, watching }, { params }) => view(await sandboxes.get(params.id), watching),
  }),
  route('DELETE /v1/sandboxes/{id}', 'deleteSandbox', 'Delete a sandbox, files and all', {
    answer: deleted('sandbox_deleted'),
    handle: async ({ sandboxes }, { params: { id } }) => {
      await sandboxes.delete(id);
      return { id, type: 'sandbox_deleted' as const };
    },
  }),
  route('GET /v1/sandboxes/{id}/screenshot', 'takeScreenshot', 'Take a screenshot', {
    answer: bytesOf('image/png'),
    errors: [500],
    handle: async ({ sandboxes }, { params, res }) => {
      const png = await sandboxes.screenshot(params.id);
      res.set({ 'content-type': 'image/png', 'cache-control': 'no-store' }).send(Buffer.from(png));
    },
  }),
  route(
    'GET /v1/sandboxes/{id}/network_log',
    'readNetworkLog',
    'Read what the programs inside asked the egress proxy for',
    {
      description: 'Oldest first; the newest 5,000 at least are kept.',
      query: logQuery,
      answer: networkLog,
      errors: [500],
      handle: ({ sandboxes }, { params, search }) => {
        const query = new Query(search, logQuery);
        const place = { after: query.integer('after'), limit: query.integer('limit') };
        return sandboxes.networkLog(params.id, place);
      },
    },
  ),
  route('GET /v1/sandboxes/{id}/tools', 'listSandboxTools', 'List what a sandbox can be told to do', {
    description:
      'Each action of the computer, the shell and the text editor, in the newest generation of each, with the schema of its input. Any other generation can be listed with a reply as well.',
    answer: z.object({
      data: z.array(sandboxTool),
      coordinates: z
        .object({ width: z.int(), height: z.int() })
        .nullable()
        .describe(
          'The size of the pictures in whose pixels places are said; null where its record is damaged',
        ),
    }),
    handle: async ({ sandboxes }, { params }) => {
      const { display, compat } = await sandboxes.get(params.id);
      const data = toolActions().map((action) => ({ ...action, tool: { ...action.tool } }));
      return { data, coordinates: display === null ? null : untoldSize(display, compat) };
    },
  }),
  route('POST /v1/sandboxes/{id}/tool_results', 'runTools', 'Carry out the tool uses of a reply', {
    description:
      'In order, and each at most once in the life of the sandbox. After a failed use of a computer toolset the toolset\'s others are left undone. `{"type": "agent_toolset_20260401"}` among the tools stands for its members: read, write, edit, glob, grep, bash and web_fetch.',
    body: json(toolResultsBody, {
      tools: [{ type: 'bash_20241022', name: 'bash' }],
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'date' } }],
    }),
    answer: toolResults,
    errors: [500],
    handle: async ({ sandboxes, policy }, call) => {
      const found = await sandboxes.get(call.params.id);
      if (found.isolation === null) throw sandboxDamaged(found.reason);
      const held = underPolicies(sandboxes, policiesOf(policy, found));
      const { tools, content } = call.body;
      const gone = goneSignal(call.res);
      const uses = content.flatMap((block) => toolUse.safeParse(block).data ?? []);
      // The actions are performed in order, because a later one may rest on an earlier one. When the client goes away, the
      // one under way is finished and no other is begun, so that asking again under the same ids gives its result and
      // does the rest.
      const results = await toToolResults(tools, uses, (actions) =>
        held.performAll(found.id, actions, { signal: gone }),
      ).catch((error: unknown) => {
        throw gone.aborted ? new ClientGoneError() : error;
      });
      return { content: results };
    },
  }),
];

async function view(
  { id, ...info }: SandboxInfo | DamagedSandboxInfo,
  watching: SandboxRouteDeps['watching'],
): Promise<DeepReadonly<z.output<typeof sandbox>>> {
  return { id, type: 'sandbox', ...info, session_id: await watching.sessionOf(id) };
}
