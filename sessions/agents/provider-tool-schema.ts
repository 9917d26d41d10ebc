import { z } from 'zod';
import { integer, toolsetConfigs } from '@steadyhand/messages';
import type { Policy, ProviderToolConfig } from './agent.ts';

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
