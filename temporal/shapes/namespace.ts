import { z } from 'zod';

const attributeTypes = ['Keyword', 'KeywordList', 'Text', 'Int', 'Double', 'Bool', 'Datetime'] as const;
export type AttributeType = (typeof attributeTypes)[number];

const capability = z.object({ available: z.boolean(), reason: z.string().nullable() });

/** The namespace that this server looks at, and what its engine can do. */
export const workflowNamespace = z.object({
  type: z.literal('workflow_namespace'),
  name: z.string(),
  engine: z.enum(['embedded', 'dev-server', 'cluster']),
  server_version: z.string().nullable(),
  retention_ms: z.number().nullable().describe('How long closed runs are kept'),
  search_attributes: z
    .array(z.object({ name: z.string(), type: z.enum(attributeTypes), system: z.boolean() }))
    .describe('What a query may name'),
  capabilities: z.object({
    count_by_status: capability,
    reset: capability,
    batch: capability.describe('Whether the server acts on many by itself; else this one does, one by one'),
  }),
  access: z.enum(['read', 'act']).describe('What the key of this request may do'),
  codec: z.boolean().describe('Whether a codec endpoint is set'),
  machines: z.array(z.string()).describe('The workflow types whose state machines are known here'),
});
export type WorkflowNamespace = z.output<typeof workflowNamespace>;
