import type { ProviderTool, ToolParam } from '../api-types.ts';
import { bash20241022, computer20241022, textEditor20241022 } from './computer-use-20241022.ts';
import type { ProviderToolKind } from './provider-tool.ts';

/** The provider-defined tools that this server knows. A new generation is a file beside this one and a line here. */
export const PROVIDER_TOOLS: readonly ProviderToolKind[] = [
  computer20241022,
  textEditor20241022,
  bash20241022,
];

const byType = new Map<string, ProviderToolKind>(PROVIDER_TOOLS.map((kind) => [kind.type, kind]));

/** What is known of a type that may be a provider-defined one. */
export function providerToolKind(type: string): ProviderToolKind | undefined {
  return byType.get(type);
}

export function isProviderTool(tool: ToolParam): tool is ProviderTool {
  return tool.type != null && byType.has(tool.type);
}

export function kindOf(tool: ProviderTool): ProviderToolKind {
  const kind = byType.get(tool.type);
  if (kind === undefined) throw new Error(`${tool.type} is no provider-defined tool`);
  return kind;
}

/** The beta that allows each provider-defined type. */
export const PROVIDER_TOOL_BETAS: Readonly<Record<string, string>> = Object.fromEntries(
  PROVIDER_TOOLS.map(({ type, beta }) => [type, beta]),
);
