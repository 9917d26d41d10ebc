import { z } from 'zod';
import { type ProviderKind, providerKind } from '../provider-kind.ts';
import { createAnthropicProvider } from './anthropic-provider.ts';
import { defined } from '../../api/defined.ts';

const milliseconds = z.int().min(1).max(86_400_000);

/** `type: anthropic` is the Messages API itself, or a server that speaks it at `base_url`. */
export const anthropicKind: ProviderKind = providerKind({
  type: 'anthropic',
  secrets: ['api_key'],
  schema: z
    .strictObject({
      type: z.literal('anthropic'),
      api_key: z.string().min(1),
      base_url: z.url({ protocol: /^https?$/, error: 'expected an http or https URL' }).optional(),
      /** The platform whose paths and bodies the upstream expects. */
      style: z.enum(['api', 'bedrock', 'vertex']).optional(),
      region: z.string().min(1).optional(),
      project: z.string().min(1).optional(),
      timeout_ms: milliseconds.optional(),
      idle_timeout_ms: milliseconds.optional(),
      stream_timeout_ms: milliseconds.optional(),
    })
    .superRefine(({ style, region, project, base_url }, context) => {
      const need = (field: string): void =>
        context.addIssue({ code: 'custom', path: [field], message: `style ${style} needs this field` });
      if (style === 'vertex' && region === undefined) need('region');
      else if (style === 'vertex' && project === undefined) need('project');
      else if (style === 'bedrock' && region === undefined && base_url === undefined) need('region');
    }),
  create(entry) {
    const { style, region, project } = entry;
    return createAnthropicProvider({
      apiKey: entry.api_key,
      ...(entry.base_url === undefined ? {} : { baseURL: entry.base_url.replace(/\/+$/, '') }),
      ...defined({
        style,
        region,
        project,
        timeoutMs: entry.timeout_ms,
        idleTimeoutMs: entry.idle_timeout_ms,
        streamTimeoutMs: entry.stream_timeout_ms,
      }),
    });
  },
});
