import type { BetaManagedAgentsCustomTool } from '@anthropic-ai/sdk/resources/beta/agents/agents.js';
import { z } from 'zod';
import { oneOf } from '../api/schema.ts';
import type { AgentTool, Policy, ProviderToolConfig } from './agent.ts';
import { agentToolset } from './toolset-schema.ts';
import { toolNames } from './tools.ts';
import { integer, toolsetConfigs } from '@steadyhand/messages';

const computerFields = {
  name: z.literal('computer'),
  display_width_px: integer(1),
  display_height_px: integer(1),
  display_number: z.exactOptional(integer(0).nullable()),
};

/**
 * The provider-defined tools as an agent lists them, by type: each generation with its own fields, and
 * `permission_policy`.
 * @param policy the schema of a permission policy; a tool without one is allowed
 */
export function providerToolConfigs(
  policy: z.ZodType<Policy>,
): Readonly<Record<string, z.ZodType<ProviderToolConfig>>> {
  const permission_policy = policy.nullish().transform((value): Policy => value ?? { type: 'always_allow' });
  const oldEditor = { name: z.literal('str_replace_editor'), permission_policy };
  const newEditor = { name: z.literal('str_replace_based_edit_tool'), permission_policy };
  const bash = { name: z.literal('bash'), permission_policy };
  return {
    computer_20241022: z.strictObject({
      type: z.literal('computer_20241022'),
      ...computerFields,
      permission_policy,
    }),
    computer_20250124: z.strictObject({
      type: z.literal('computer_20250124'),
      ...computerFields,
      permission_policy,
    }),
    computer_20251124: z.strictObject({
      type: z.literal('computer_20251124'),
      ...computerFields,
      enable_zoom: z.exactOptional(z.boolean()),
      permission_policy,
    }),
    computer_toolset_20260801: z.strictObject({
      type: z.literal('computer_toolset_20260801'),
      configs: z.exactOptional(toolsetConfigs.nullable()),
      permission_policy,
    }),
    text_editor_20241022: z.strictObject({ type: z.literal('text_editor_20241022'), ...oldEditor }),
    text_editor_20250124: z.strictObject({ type: z.literal('text_editor_20250124'), ...oldEditor }),
    text_editor_20250429: z.strictObject({ type: z.literal('text_editor_20250429'), ...newEditor }),
    text_editor_20250728: z.strictObject({
      type: z.literal('text_editor_20250728'),
      max_characters: z.exactOptional(integer(1).nullable()),
      ...newEditor,
    }),
    bash_20241022: z.strictObject({ type: z.literal('bash_20241022'), ...bash }),
    bash_20250124: z.strictObject({ type: z.literal('bash_20250124'), ...bash }),
  };
}

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
