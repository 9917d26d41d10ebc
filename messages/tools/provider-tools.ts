import type { CustomTool, ProviderTool, ToolParam } from '../api/api-types.ts';
import { bash20241022, bash20250124 } from './bash.ts';
import { computerToolset20260801 } from './computer-toolset-20260801.ts';
import { computer20241022 } from './computer-use-20241022.ts';
import { computer20250124 } from './computer-use-20250124.ts';
import { computer20251124 } from './computer-use-20251124.ts';
import type { ProviderToolKind } from './provider-tool.ts';
import {
  textEditor20241022,
  textEditor20250124,
  textEditor20250429,
  textEditor20250728,
} from './text-editors.ts';
import type { ToolFunction } from './tool-function.ts';

/** The provider-defined tools that this server knows. A new generation is a file beside this one and a line here. */
export const PROVIDER_TOOLS: readonly ProviderToolKind[] = [
  computer20241022,
  computer20250124,
  computer20251124,
  computerToolset20260801,
  textEditor20241022,
  textEditor20250124,
  textEditor20250429,
  textEditor20250728,
  bash20241022,
  bash20250124,
];

const byType = new Map<string, ProviderToolKind>(PROVIDER_TOOLS.map((kind) => [kind.type, kind]));

/** Finds the provider-defined tool of a type, if there is one. */
export function providerToolKind(type: string): ProviderToolKind | undefined {
  return byType.get(type);
}

export function isProviderTool(tool: ToolParam): tool is ProviderTool {
  return tool.type != null && byType.has(tool.type);
}

/** Whether a tool is the client's own, with a schema. */
export function isCustomTool(tool: ToolParam): tool is CustomTool {
  return 'input_schema' in tool;
}

export function providerToolOf(tool: ProviderTool): ProviderToolKind {
  const kind = byType.get(tool.type);
  if (kind === undefined) throw new Error(`${tool.type} is no provider-defined tool`);
  return kind;
}

/** The beta that allows each provider-defined type that needs one. */
export const PROVIDER_TOOL_BETAS: Readonly<Record<string, string>> = Object.fromEntries(
  PROVIDER_TOOLS.flatMap(({ type, beta }) => (beta === null ? [] : [[type, beta]])),
);

/** Every beta that allows a provider-defined tool. */
export const TOOL_BETAS: readonly string[] = [...new Set(Object.values(PROVIDER_TOOL_BETAS))];

/**
 * Turns an entry of `tools` into functions with a schema: one, or one for each enabled member of a toolset. A tool that
 * only the API itself can offer has none.
 */
export function functionsOf(tool: ToolParam): readonly ToolFunction[] {
  if (isProviderTool(tool)) return providerToolOf(tool).functions(tool);
  if (!isCustomTool(tool)) return [];
  return [{ name: tool.name, description: tool.description ?? '', input_schema: tool.input_schema }];
}
