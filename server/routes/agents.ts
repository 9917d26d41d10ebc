import type { BetaManagedAgentsAgentToolset20260401 } from '@anthropic-ai/sdk/resources/beta/agents/agents.js';
import { z } from 'zod';
import { contextCare } from '@steadyhand/messages';
import {
  actionPolicy,
  type Agent,
  agentCreate,
  agentQuery,
  type Agents,
  agentsQuery,
  agentUpdate,
  agentVersionsQuery,
  providerToolConfigs,
} from '@steadyhand/sessions';
import { named } from '../routing/components.ts';
import { json, loosely, maybeTime, pageOf, pairs, time } from '../routing/shapes.ts';
import { routesOf } from '../routing/route.ts';

const permissionPolicy = z.object({ type: z.enum(['always_allow', 'always_ask']) });

const toolset = z.object({
  type: z.literal('agent_toolset_20260401'),
  default_config: z.object({ enabled: z.boolean(), permission_policy: permissionPolicy }),
  configs: loosely<BetaManagedAgentsAgentToolset20260401['configs']>(
    z.array(
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
  ),
});

const customTool = z.object({
  type: z.literal('custom'),
  name: z.string(),
  description: z.string(),
  input_schema: z.looseObject({ type: z.literal('object') }),
});

/** Provider-defined tools are answered in the form that they are taken in. */
const agentTool = z.union([toolset, ...Object.values(providerToolConfigs(permissionPolicy)), customTool]);

/** Lists that are always empty here. */
export const nothing = z.array(z.custom<never>()).max(0);

/** What is the same in an agent and in a session's copy of it. */
export const agentConfig = {
  id: z.string(),
  type: z.literal('agent'),
  version: z.int().min(1),
  name: z.string(),
  description: z.string().nullable(),
  model: z.object({
    id: z.string(),
    effort: z.exactOptional(z.object({ type: z.enum(['low', 'medium', 'high', 'xhigh', 'max']) })),
    inference_geo: z.exactOptional(z.string()),
    speed: z.exactOptional(z.enum(['standard', 'fast'])),
  }),
  system: z.string().nullable(),
  tools: z.array(agentTool),
  context_care: z.exactOptional(contextCare),
  policy: z.exactOptional(actionPolicy),
  mcp_servers: nothing,
  skills: nothing,
  multiagent: z.null(),
  execution_identity: z.object({ type: z.literal('service_account') }),
};

const agent: z.ZodType<Agent> = z.object({
  ...agentConfig,
  metadata: pairs,
  created_at: time,
  updated_at: time,
  archived_at: maybeTime,
});

named({ agentTool, agent, agentCreate, agentUpdate });

export interface AgentRouteDeps {
  readonly sessions: { readonly agents: Agents };
}

const route = routesOf<AgentRouteDeps>()('Agents', { id: 'An agent’s id, `agent_…`' });

/** The routes of `/v1/agents`, as in the Managed Agents API. */
export const agentRoutes = [
  route('GET /v1/agents', 'listAgents', 'List agents', {
    query: agentsQuery,
    answer: pageOf(agent),
    handle: ({ sessions }, { search }) => sessions.agents.list(search),
  }),
  route('POST /v1/agents', 'createAgent', 'Create an agent', {
    body: json(agentCreate, { name: 'Demo', model: 'script', tools: [{ type: 'agent_toolset_20260401' }] }),
    answer: agent,
    handle: ({ sessions }, { unchecked }) => sessions.agents.create(unchecked),
  }),
  route('GET /v1/agents/{id}', 'retrieveAgent', 'Retrieve an agent', {
    query: agentQuery,
    answer: agent,
    handle: ({ sessions }, { params, search }) => sessions.agents.retrieve(params.id, search),
  }),
  route('POST /v1/agents/{id}', 'updateAgent', 'Update an agent', {
    description: 'Makes a new version unless nothing changed.',
    body: json(agentUpdate, { description: 'Follows a script' }),
    answer: agent,
    errors: [409],
    handle: ({ sessions }, { params, unchecked }) => sessions.agents.update(params.id, unchecked),
  }),
  route('GET /v1/agents/{id}/versions', 'listAgentVersions', 'List an agent’s versions', {
    query: agentVersionsQuery,
    answer: pageOf(agent),
    handle: ({ sessions }, { params, search }) => sessions.agents.versions(params.id, search),
  }),
  route('POST /v1/agents/{id}/archive', 'archiveAgent', 'Archive an agent', {
    answer: agent,
    handle: ({ sessions }, { params }) => sessions.agents.archive(params.id),
  }),
];
