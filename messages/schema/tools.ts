import { z } from 'zod';
import type { CustomTool, ToolParam } from '../api/api-types.ts';
import { isRecord } from '../api/is-record.ts';
import { PROVIDER_TOOLS, providerToolKind } from '../tools/provider-tools.ts';
import { accepting, anyOf } from './fields/accepted-form.ts';
import { tagged } from './fields/tagged.ts';
import { sharedToolFields } from './fields/shared.ts';
import { upstreamTools } from './upstream-tools.ts';

const FIRST_RELEASE = 'computer-use-2024-10-22';

const DRAFT =
  'JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).';

/** A subschema of a JSON schema is an object, `true` or `false`. */
const subschema = accepting(
  z.custom<unknown>((value) => typeof value === 'boolean' || isRecord(value), DRAFT),
  anyOf([z.boolean(), z.looseObject({})]),
);

const inputSchema: z.ZodType<CustomTool['input_schema']> = z.looseObject({
  type: z.literal('object'),
  properties: z.exactOptional(z.nullable(z.record(z.string(), subschema))),
  required: z.exactOptional(z.nullable(z.array(z.string()))),
});

const customFields = {
  type: z.exactOptional(z.nullable(z.literal('custom'))),
  name: z
    .string()
    .max(128)
    .regex(/^[a-zA-Z0-9_-]{1,128}$/),
  description: z.string(),
  input_schema: inputSchema,
  ...sharedToolFields,
  eager_input_streaming: z.exactOptional(z.nullable(z.boolean())),
};

/** The first computer-use release requires a description of each custom tool; today's API does not. */
const describedTool: z.ZodType<CustomTool> = z.strictObject(customFields);
export const customTool: z.ZodType<CustomTool> = z.strictObject({
  ...customFields,
  description: z.exactOptional(z.string()),
});

/**
 * The schema of an entry of `tools`. As in the API, a provider-defined type is a member of the union only with its
 * beta, so the error of a request without the beta says that there is no such tag.
 */
export function toolDefinition(betas: ReadonlySet<string>): z.ZodType<ToolParam> {
  const allowed = PROVIDER_TOOLS.filter(({ beta }) => beta === null || betas.has(beta));
  const members: Record<string, z.ZodType<ToolParam>> = {
    custom: betas.has(FIRST_RELEASE) ? describedTool : customTool,
    ...upstreamTools,
  };
  for (const { type, schema } of allowed) members[type] = schema;
  return tagged(members, {
    fallback: 'custom',
    // Unknown fields are reported as `tools.1.description` for provider-defined tools, and as
    // `tools.1.custom.description` for custom ones.
    inPath: (tag) => tag === 'custom',
    hint: (tag) => {
      const kind = providerToolKind(tag);
      return kind?.beta == null
        ? undefined
        : `The tool '${tag}' needs the beta '${kind.beta}' in the 'anthropic-beta' header or in 'betas'.`;
    },
  });
}
