import { z } from 'zod';
import { type ProviderKind, providerKind } from '../provider-kind.ts';
import { createOpenAiProvider } from './openai-provider.ts';
import type { OpenAiProviderOptions } from './options.ts';

/** Node's fetch waits no longer than this for an answer's head, nor between two parts of its body. */
const LONGEST_MS = 300_000;

const schema = z.strictObject({
  type: z.literal('openai-compatible'),
  base_url: z.url({ protocol: /^https?$/, error: 'expected an http or https URL, up to and with its /v1' }),
  api_key: z.string().min(1).optional(),
  headers: z.record(z.string().min(1), z.string()).optional(),
  timeout_ms: z.int().min(1).max(LONGEST_MS).optional(),
  max_tokens_field: z.enum(['max_tokens', 'max_completion_tokens']).optional(),
  system_role: z.enum(['system', 'developer', 'user']).optional(),
  alternate: z.boolean().optional(),
  tool_result_images: z.enum(['user', 'tool']).optional(),
  reasoning: z.enum(['asked', 'always', 'never']).optional(),
  pdf: z.enum(['refuse', 'file']).optional(),
  prefill: z.enum(['refuse', 'send']).optional(),
  stream_usage: z.boolean().optional(),
  extra_body: z.record(z.string(), z.unknown()).optional(),
});

type Entry = z.infer<typeof schema>;

function optionsOf(entry: Entry): OpenAiProviderOptions {
  const given = {
    baseURL: entry.base_url.replace(/\/+$/, ''),
    apiKey: entry.api_key,
    headers: entry.headers,
    timeoutMs: entry.timeout_ms,
    maxTokensField: entry.max_tokens_field,
    systemRole: entry.system_role,
    alternate: entry.alternate,
    toolResultImages: entry.tool_result_images,
    reasoning: entry.reasoning,
    pdf: entry.pdf,
    prefill: entry.prefill,
    streamUsage: entry.stream_usage,
    extraBody: entry.extra_body,
  } satisfies { [K in keyof Required<OpenAiProviderOptions>]: OpenAiProviderOptions[K] | undefined };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as unknown as OpenAiProviderOptions;
}

/** `type: openai-compatible` is a server for chat completions at `base_url`. */
export const openaiKind: ProviderKind = providerKind({
  type: 'openai-compatible',
  secrets: ['api_key', 'headers'],
  schema,
  create: (entry) => createOpenAiProvider(optionsOf(entry)),
});
