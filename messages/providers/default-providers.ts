import { createAnthropicProvider, type AnthropicProviderOptions } from './anthropic/anthropic-provider.ts';
import { createProviderRegistry, type ProviderRegistry } from './registry.ts';
import { createScriptProvider } from './script/script-provider.ts';

export interface ProvidersConfig {
  /** Absent when no key is configured; its models then answer 404 and say so. */
  readonly anthropic?: AnthropicProviderOptions;
}

/** The models that a server knows by default: `script`, and everything named `claude-...`. */
export function createDefaultProviders({ anthropic }: ProvidersConfig): ProviderRegistry {
  return createProviderRegistry([
    { model: 'script', provider: createScriptProvider() },
    {
      model: 'claude-*',
      provider:
        anthropic === undefined
          ? 'no upstream is configured for it: set ANTHROPIC_API_KEY'
          : createAnthropicProvider(anthropic),
    },
  ]);
}
