import type { BetaManagedAgentsModelConfig } from '@anthropic-ai/sdk/resources/beta/agents/agents.js';
import { z } from 'zod';
import { accepting, anyOf, contextCare, defined, integer } from '@steadyhand/messages';
import { actionPolicy } from '../policy/action-policy.ts';
import { abbreviated, metadata, metadataPatch, unsupported } from '../api/schema.ts';
import { agentTools } from './tool-schema.ts';

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;

const effort = z
  .union([z.enum(EFFORTS), z.strictObject({ type: z.enum(EFFORTS) })], {
    error: `Input should be ${EFFORTS.map((name) => `'${name}'`).join(', ')}`,
  })
  .transform((value) => (typeof value === 'string' ? { type: value } : value));

const modelConfig = z
  .strictObject({
    id: z.string().min(1).max(256),
    effort: effort.nullish(),
    inference_geo: z.string().nullish(),
    speed: z.enum(['standard', 'fast']).nullish(),
  })
  .transform(({ id, effort: level, inference_geo, speed }): BetaManagedAgentsModelConfig => ({
    id,
    ...defined({
      effort: level ?? undefined,
      inference_geo: inference_geo ?? undefined,
      speed: speed ?? undefined,
    }),
  }));

const nameOrConfig = abbreviated<BetaManagedAgentsModelConfig>(modelConfig, (id) => ({ id }));

/** A model's name, or the object form with settings. */
const model = accepting(nameOrConfig, anyOf([z.string().min(1).max(256), modelConfig]));

const name = z.string().min(1).max(256);
const description = z.string().max(2048).nullish();
const system = z.string().max(100_000).nullish();

const unsupportedFields = {
  mcp_servers: unsupported('MCP servers are not supported').optional(),
  skills: unsupported('Skills are not supported').optional(),
  multiagent: unsupported('Multiagent orchestration is not supported').optional(),
  execution_identity: z.strictObject({ type: z.literal('service_account') }).nullish(),
};

export const agentCreate = z.strictObject({
  name,
  model,
  description,
  system,
  tools: agentTools.nullish(),
  context_care: contextCare.nullish(),
  policy: actionPolicy.nullish(),
  metadata: metadata.optional(),
  ...unsupportedFields,
});

export const agentUpdate = z.strictObject({
  version: integer(1).optional(),
  name: name.optional(),
  model: model.optional(),
  description,
  system,
  tools: agentTools.nullish(),
  context_care: contextCare.nullish(),
  policy: actionPolicy.nullish(),
  metadata: metadataPatch.nullish(),
  ...unsupportedFields,
});

/** The fields of a new session's `agent` in its object form: id and version, and parts that replace the agent's own. */
export const agentOverrides = {
  id: z.string().min(1),
  version: integer(1).optional(),
  model: model.optional(),
  system,
  tools: agentTools.optional(),
  context_care: contextCare.nullish(),
  mcp_servers: unsupportedFields.mcp_servers,
  skills: unsupportedFields.skills,
};
