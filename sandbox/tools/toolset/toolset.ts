import { AGENT_TOOLSET, type ToolDefinition } from '@steadyhand/contracts';
import { type Tool, ToolError } from '../tool.ts';
import { bashTool, bashTimeout } from './bash.ts';
import { editTool } from './edit.ts';
import { ToolsetInput } from './fields.ts';
import { globTool } from './glob.ts';
import { grepTool } from './grep.ts';
import { readTool } from './read.ts';
import type { ToolsetTool, ToolsetGuest } from './toolset-context.ts';
import { webFetchTool } from './web-fetch.ts';
import { writeTool } from './write.ts';

/** Tools that only read files; their calls may be repeated after a crash. */
const READ_ONLY: readonly string[] = ['read', 'glob', 'grep'];

export function isReadOnly(tool: string): boolean {
  return READ_ONLY.includes(tool);
}

/** Creates the tools of `agent_toolset_20260401`; a call's definition names the tool. */
export function createToolset(guest: ToolsetGuest, options: { readonly bashTimeoutMs: number }): Tool {
  const tools: ReadonlyMap<string, ToolsetTool> = new Map([
    ['read', readTool(guest)],
    ['write', writeTool(guest)],
    ['edit', editTool(guest)],
    ['glob', globTool(guest)],
    ['grep', grepTool(guest)],
    ['bash', bashTool(guest, options.bashTimeoutMs)],
    ['web_fetch', webFetchTool(guest)],
  ]);
  return {
    run: async (input, context) => {
      const { name } = context.definition;
      const tool = tools.get(name);
      if (tool === undefined)
        throw new ToolError(
          `${AGENT_TOOLSET} has no tool ${name} here; it has ${[...tools.keys()].join(', ')}`,
        );
      return await tool(new ToolsetInput(name, input), context);
    },
  };
}

/** Returns the milliseconds that a call may take. The tool itself reports what is wrong with its input. */
export function longestCall({ name }: ToolDefinition, input: unknown, bashTimeoutMs: number): number {
  if (name !== 'bash') return 120_000;
  try {
    return bashTimeout(new ToolsetInput(name, input), bashTimeoutMs);
  } catch {
    return bashTimeoutMs;
  }
}
