import { fileResource } from './resource-paths.ts';
import { z } from 'zod';
import type { DamagedSandboxInfo, NetworkRequest, SandboxInfo } from '@steadyhand/contracts';
import { contextCare } from '@steadyhand/messages';
import type { NetworkLogPage } from '@steadyhand/sandbox/client';
import { actionPolicy, providerToolConfigs } from '@steadyhand/sessions';
import { anyObject, limits, maybeTime, pairs, time } from './shapes.ts';

/** What the agent API answers with, beside events and messages. */

const modelConfig = z.object({
  id: z.string(),
  effort: z.exactOptional(z.object({ type: z.string() })),
  inference_geo: z.exactOptional(z.string()),
  speed: z.exactOptional(z.enum(['standard', 'fast'])),
});

const permissionPolicy = z.object({ type: z.enum(['always_allow', 'always_ask']) });

const toolset = z.object({
  type: z.literal('agent_toolset_20260401'),
  default_config: z.object({ enabled: z.boolean(), permission_policy: permissionPolicy }),
  configs: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      enabled: z.boolean(),
      permission_policy: permissionPolicy,
      url_sources: z.exactOptional(z.null()),
      allowed_domains: z.exactOptional(z.array(z.string())),
      blocked_domains: z.exactOptional(z.array(z.string())),
      max_content_tokens: z.exactOptional(z.int()),
    }),
  ),
});
const customTool = z.object({
  type: z.literal('custom'),
  name: z.string(),
  description: z.string(),
  input_schema: z.looseObject({ type: z.literal('object') }),
});
/** Answered in the form that they are taken in. */
const providerTools = Object.values(providerToolConfigs(permissionPolicy));
export const agentTool = z.union([toolset, ...providerTools, customTool]);

const nothing = z.array(z.unknown()).max(0);

const agentConfig = {
  id: z.string(),
  type: z.literal('agent'),
  version: z.int().min(1),
  name: z.string(),
  description: z.string().nullable(),
  model: modelConfig,
  system: z.string().nullable(),
  tools: z.array(agentTool),
  context_care: contextCare.optional(),
  policy: actionPolicy.optional(),
  mcp_servers: nothing,
  skills: nothing,
  multiagent: z.null(),
  execution_identity: z.object({ type: z.literal('service_account') }),
};

export const agent = z.object({
  ...agentConfig,
  metadata: pairs,
  created_at: time,
  updated_at: time,
  archived_at: maybeTime,
});

const networking = z.union([
  z.object({ type: z.literal('unrestricted') }),
  z.object({
    type: z.literal('limited'),
    allow_mcp_servers: z.boolean(),
    allow_package_managers: z.boolean(),
    allowed_hosts: z.array(z.string()),
  }),
]);

export const environment = z.object({
  id: z.string(),
  type: z.literal('environment'),
  name: z.string(),
  description: z.string().nullable(),
  config: z.union([
    z.object({ type: z.literal('self_hosted') }),
    z.object({
      type: z.literal('cloud'),
      networking,
      packages: z.looseObject({ type: z.exactOptional(z.literal('packages')) }),
    }),
  ]),
  metadata: pairs,
  scope: z.literal('organization'),
  created_at: time,
  updated_at: time,
  archived_at: maybeTime,
});

export const stopReason = z.union([
  z.object({ type: z.literal('requires_action'), event_ids: z.array(z.string()) }),
  z.object({ type: z.enum(['end_turn', 'retries_exhausted', 'budget_reached', 'refusal']) }),
]);

const status = z.enum(['rescheduling', 'running', 'idle', 'terminated']);
const tokens = z.int().min(0);

export const session = z.object({
  id: z.string(),
  type: z.literal('session'),
  status,
  stop_reason: stopReason.nullable().describe('Why it is idle; null when it is not or has never run'),
  title: z.string().nullable(),
  metadata: pairs,
  agent: z.object(agentConfig).describe('The session’s own copy of its agent'),
  environment_id: z.string(),
  sandbox_id: z.string().nullable().describe('Null until the first tool use'),
  limits,
  policy: actionPolicy.optional(),
  secrets: z
    .array(
      z.object({
        name: z.string(),
        allowed_tools: z.array(z.enum(['computer', 'editor', 'bash'])),
        window_title: z.exactOptional(z.array(z.string())),
      }),
    )
    .optional()
    .describe('Without their values'),
  budget: z.null(),
  usage: z.object({
    input_tokens: tokens,
    output_tokens: tokens,
    cache_read_input_tokens: tokens,
    cache_creation: z.object({ ephemeral_5m_input_tokens: tokens, ephemeral_1h_input_tokens: tokens }),
    active_seconds: z.number().min(0),
  }),
  stats: z.object({ active_seconds: z.number().min(0), duration_seconds: z.number().min(0) }),
  resources: z.array(fileResource),
  vault_ids: nothing,
  outcome_evaluations: nothing,
  deployment_id: z.null(),
  created_at: time,
  updated_at: time,
  archived_at: maybeTime,
});

export const sessionVerification = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), length: z.int(), head: z.string().describe('The last hash') }),
  z.object({
    ok: z.literal(false),
    broken_at: z.int().describe('The first event that does not check; 0 for the record itself'),
    reason: z.string(),
  }),
]);

export const sessionState = z.object({
  type: z.literal('session_state'),
  session_id: z.string(),
  status,
  state: z
    .string()
    .nullable()
    .describe('The machine’s own state, e.g. `tool_use.running`; null before it ran'),
});

export const networkRequest = {
  number: z.int().describe('Counts the sandbox’s requests from 1'),
  at: time.describe('When it began; the entry comes when it is over'),
  host: z.string(),
  port: z.int(),
  method: z.string().describe('`CONNECT`, or the method of a plain request'),
  verdict: z.enum(['allowed', 'denied']),
  reason: z.string().nullable().describe('Why it was denied, or how it failed'),
  bytes_sent: z.int(),
  bytes_received: z.int(),
  duration_ms: z.number(),
} satisfies Readonly<Record<keyof NetworkRequest, z.ZodType>>;

export const networkLog = z.object({
  data: z.array(z.object(networkRequest)),
  last: z.int().describe('The newest number that there is'),
}) satisfies z.ZodType<NetworkLogPage>;

type SandboxFields = {
  readonly [F in keyof SandboxInfo]:
    SandboxInfo[F] | (F extends keyof DamagedSandboxInfo ? DamagedSandboxInfo[F] : never);
};

const UNREADABLE = 'Null where its record is damaged';

export const sandbox = z.object({
  id: z.string(),
  type: z.literal('sandbox'),
  status: z
    .enum(['starting', 'running', 'stopped', 'failed'])
    .describe('`failed`: a file of its own is damaged, and it can only be deleted'),
  display: z.object({ width: z.int(), height: z.int() }).nullable().describe(UNREADABLE),
  compat: z.enum(['default', 'reference']).nullable().describe(UNREADABLE),
  isolation: z.enum(['bubblewrap', 'none', 'container', 'remote']).nullable().describe(UNREADABLE),
  networking: z
    .union([networking, z.object({ type: z.literal('none') })])
    .nullable()
    .describe(UNREADABLE),
  policy: z.exactOptional(actionPolicy),
  limits: z
    .object({
      memory_mib: z.int().nullable(),
      processes: z.int().nullable(),
      disk_mib: z.int().nullable().describe('Of the home folder and the outputs'),
      files: z.int().nullable().describe('Files and folders in them'),
      cpus: z.number().nullable(),
    })
    .nullable()
    .describe(UNREADABLE),
  created_at: time,
  boot: z.string().nullable(),
  reason: z.string().nullable().describe('Why it is `failed`: the file, and what is wrong with it'),
}) satisfies z.ZodType<SandboxFields>;

const resultContent = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({
    type: z.literal('image'),
    source: z.object({
      type: z.literal('base64'),
      media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
      data: z.string(),
    }),
  }),
]);

export const toolResults = z.object({
  content: z.array(
    z.object({
      type: z.literal('tool_result'),
      tool_use_id: z.string(),
      toolset_name: z.exactOptional(z.string()),
      content: z.union([z.string(), z.array(resultContent)]),
      is_error: z.boolean(),
    }),
  ),
});

const usage = z.looseObject({ input_tokens: tokens, output_tokens: tokens });

/** A reply as the Messages API has it. A provider's own blocks and counts pass through. */
export const message = z.looseObject({
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(
    z.union([
      z.looseObject({ type: z.literal('text'), text: z.string() }),
      z.looseObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: anyObject }),
      z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
      z.looseObject({ type: z.string() }),
    ]),
  ),
  stop_reason: z.string().nullable(),
  stop_sequence: z.string().nullable(),
  usage,
});
