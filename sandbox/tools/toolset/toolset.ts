import { AGENT_TOOLSET, type ToolDefinition } from '@steadyhand/contracts';
import { type Tool, ToolError } from '../tool.ts';
import { bashMember, bashTimeout } from './bash.ts';
import { editMember } from './edit.ts';
import { ToolsetInput } from './fields.ts';
import { globMember } from './glob.ts';
import { grepMember } from './grep.ts';
import { readMember } from './read.ts';
import type { Member, ToolsetGuest } from './toolset-context.ts';
import { webFetchMember } from './web-fetch.ts';
import { writeMember } from './write.ts';

/** Members that only look at files: they may be repeated after a crash. */
const LOOKS: readonly string[] = ['read', 'glob', 'grep'];

export function onlyLooks(member: string): boolean {
  return LOOKS.includes(member);
}

/** The tools of `agent_toolset_20260401`; a call's definition names the member. */
export function createToolset(guest: ToolsetGuest, options: { readonly bashTimeoutMs: number }): Tool {
  const members: ReadonlyMap<string, Member> = new Map([
    ['read', readMember(guest)],
    ['write', writeMember(guest)],
    ['edit', editMember(guest)],
    ['glob', globMember(guest)],
    ['grep', grepMember(guest)],
    ['bash', bashMember(guest, options.bashTimeoutMs)],
    ['web_fetch', webFetchMember(guest)],
  ]);
  return {
    run: async (input, context) => {
      const { name } = context.definition;
      const member = members.get(name);
      if (member === undefined)
        throw new ToolError(
          `${AGENT_TOOLSET} has no tool ${name} here; it has ${[...members.keys()].join(', ')}`,
        );
      return await member(new ToolsetInput(name, input), context);
    },
  };
}

/** Milliseconds that a call may take; what is wrong with its input the tool itself will say. */
export function longestCall({ name }: ToolDefinition, input: unknown, bashTimeoutMs: number): number {
  if (name !== 'bash') return 120_000;
  try {
    return bashTimeout(new ToolsetInput(name, input), bashTimeoutMs);
  } catch {
    return bashTimeoutMs;
  }
}
