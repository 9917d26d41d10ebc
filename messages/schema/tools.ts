import { z } from 'zod';
import type { BashTool, ComputerTool, CustomTool, TextEditorTool, ToolParam } from '../api-types.ts';
import { cacheControl } from './blocks.ts';
import { integer } from './integer.ts';
import { tagged } from './tagged.ts';

/** The beta that allows each provider-defined tool. A new generation of tools is a new line here and its schema below. */
export const PROVIDER_TOOL_BETAS: Readonly<Record<string, string>> = {
  computer_20241022: 'computer-use-2024-10-22',
  text_editor_20241022: 'computer-use-2024-10-22',
  bash_20241022: 'computer-use-2024-10-22',
};

const DRAFT =
  'JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).';

/** What every tool may carry beside its definition. */
const shared = {
  cache_control: z.exactOptional(z.nullable(cacheControl)),
  allowed_callers: z.exactOptional(
    z.array(
      z.enum(['direct', 'code_execution_20250825', 'code_execution_20260120', 'code_execution_20260521']),
    ),
  ),
  defer_loading: z.exactOptional(z.boolean()),
  input_examples: z.exactOptional(z.array(z.record(z.string(), z.unknown()))),
  strict: z.exactOptional(z.boolean()),
};

const computer: z.ZodType<ComputerTool> = z.strictObject({
  type: z.literal('computer_20241022'),
  name: z.literal('computer'),
  display_width_px: integer(1),
  display_height_px: integer(1),
  display_number: z.exactOptional(z.nullable(integer(0))),
  ...shared,
});

const textEditor: z.ZodType<TextEditorTool> = z.strictObject({
  type: z.literal('text_editor_20241022'),
  name: z.literal('str_replace_editor'),
  ...shared,
});

const bash: z.ZodType<BashTool> = z.strictObject({
  type: z.literal('bash_20241022'),
  name: z.literal('bash'),
  ...shared,
});

/** A schema in a schema is an object, or `true` or `false`; anything else is no JSON schema. */
const subschema = z.custom<unknown>(
  (value) =>
    typeof value === 'boolean' || (typeof value === 'object' && value !== null && !Array.isArray(value)),
  DRAFT,
);

const inputSchema: z.ZodType<CustomTool['input_schema']> = z.looseObject({
  type: z.literal('object'),
  properties: z.exactOptional(z.nullable(z.record(z.string(), subschema))),
  required: z.exactOptional(z.nullable(z.array(z.string()))),
});

const custom: z.ZodType<CustomTool> = z.strictObject({
  type: z.exactOptional(z.nullable(z.literal('custom'))),
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string(),
  input_schema: inputSchema,
  ...shared,
  eager_input_streaming: z.exactOptional(z.nullable(z.boolean())),
});

/**
 * One entry of `tools`. A provider-defined type is a member of the union only under its beta, as in the API, where a
 * request without the beta is told that there is no such tag.
 */
export function toolDefinition(betas: ReadonlySet<string>): z.ZodType<ToolParam> {
  const members: Record<string, z.ZodType<ToolParam>> = {
    computer_20241022: computer,
    text_editor_20241022: textEditor,
    bash_20241022: bash,
    custom,
  };
  const allowed = Object.entries(members).filter(([type]) => {
    const beta = PROVIDER_TOOL_BETAS[type];
    return beta === undefined || betas.has(beta);
  });
  return tagged(Object.fromEntries(allowed), {
    fallback: 'custom',
    // An unwanted field of a provider-defined tool is reported as `tools.1.description`, one of a custom tool as
    // `tools.1.custom.description`.
    inPath: (tag) => tag === 'custom',
    hint: (tag) => {
      const beta = Object.hasOwn(PROVIDER_TOOL_BETAS, tag) ? PROVIDER_TOOL_BETAS[tag] : undefined;
      return (
        beta && `The tool '${tag}' needs the beta '${beta}' in the 'anthropic-beta' header or in 'betas'.`
      );
    },
  });
}
