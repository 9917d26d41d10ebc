import type { BetaManagedAgentsCustomTool } from '@anthropic-ai/sdk/resources/beta/agents/agents.js';
import { z } from 'zod';
import { oneOf } from '../api/schema.ts';
import type { AgentTool, Policy } from './agent.ts';
import { providerToolConfigs } from './provider-tool-schema.ts';
import { agentToolset } from './toolset-schema.ts';
import { toolNames } from './tools.ts';

const policy: z.ZodType<Policy> = oneOf<Policy>({
  always_allow: z.strictObject({ type: z.literal('always_allow') }),
  always_ask: z.strictObject({ type: z.literal('always_ask') }),
});

const custom: z.ZodType<BetaManagedAgentsCustomTool> = z.strictObject({
  type: z.literal('custom'),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string().min(1),
  input_schema: z.looseObject({
    type: z.literal('object'),
    properties: z.exactOptional(z.record(z.string(), z.unknown()).nullable()),
    required: z.exactOptional(z.array(z.string()).nullable()),
  }),
});

/** An agent's `tools`: no two may give the model a tool of the same name. */
export const agentTools: z.ZodType<AgentTool[]> = z
  .array(
    oneOf<AgentTool>({
      agent_toolset_20260401: agentToolset(policy),
      ...providerToolConfigs(policy),
      custom,
    }),
  )
  .max(256)
  .superRefine((tools, context) => {
    const names = tools.flatMap(toolNames);
    if (new Set(names).size < names.length)
      context.addIssue({ code: 'custom', message: 'Tool names must be unique.' });
  });
