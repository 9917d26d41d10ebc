import type {
  BetaManagedAgentsAgentToolConfig,
  BetaManagedAgentsAgentToolset20260401,
  BetaManagedAgentsCustomTool,
} from '@anthropic-ai/sdk/resources/beta/agents/agents.js';
import { z } from 'zod';
import { oneOf } from '../schema.ts';
import type { AgentTool, Policy } from './agent.ts';
import { providerToolConfigs } from './provider-tool-schema.ts';
import { toolNames } from './tools.ts';

const ALLOW: Policy = { type: 'always_allow' };

const policy: z.ZodType<Policy> = oneOf<Policy>({
  always_allow: z.strictObject({ type: z.literal('always_allow') }),
  always_ask: z.strictObject({ type: z.literal('always_ask') }),
});

/** Members of the official toolset that a sandbox here has a tool for; the rest can only be switched off. */
const SERVED: ReadonlySet<string> = new Set(['bash', 'edit', 'read', 'write']);
const MEMBERS = ['bash', 'edit', 'read', 'write', 'glob', 'grep', 'web_fetch', 'web_search'] as const;

const toolsetConfig = z.strictObject({
  name: z.enum(MEMBERS),
  type: z.enum(MEMBERS).optional(),
  enabled: z.boolean().nullish(),
  permission_policy: policy.nullish(),
});

const toolset = z
  .strictObject({
    type: z.literal('agent_toolset_20260401'),
    configs: z.array(toolsetConfig).optional(),
    default_config: z
      .strictObject({ enabled: z.boolean().nullish(), permission_policy: policy.nullish() })
      .nullish(),
  })
  .superRefine(({ configs = [] }, context) => {
    configs.forEach((config, index) => {
      const refuse = (field: string, message: string): void =>
        context.addIssue({ code: 'custom', path: ['configs', index, field], message });
      if (config.type !== undefined && config.type !== config.name)
        refuse('type', `Input should be '${config.name}'`);
      if (configs.findIndex(({ name }) => name === config.name) < index) {
        refuse('name', `'${config.name}' is configured more than once`);
      }
      if (config.enabled === true && !SERVED.has(config.name)) {
        refuse('enabled', `'${config.name}' is not available here; 'bash', 'edit', 'read' and 'write' are`);
      }
    });
  })
  .transform(({ configs = [], default_config }): BetaManagedAgentsAgentToolset20260401 => {
    const byDefault = {
      enabled: default_config?.enabled ?? true,
      permission_policy: default_config?.permission_policy ?? ALLOW,
    };
    return {
      type: 'agent_toolset_20260401',
      default_config: byDefault,
      configs: MEMBERS.map((name) => {
        const config = configs.find((candidate) => candidate.name === name);
        const enabled = SERVED.has(name) && (config?.enabled ?? byDefault.enabled);
        const permission = config?.permission_policy ?? byDefault.permission_policy;
        return {
          name,
          type: name,
          enabled,
          permission_policy: permission,
          ...(name === 'web_fetch' ? { url_sources: null } : {}),
        } as BetaManagedAgentsAgentToolConfig;
      }),
    };
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
      agent_toolset_20260401: toolset,
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
