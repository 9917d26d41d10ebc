import { z } from 'zod';
import type { ActionFacts } from './action-facts.ts';
import type { ActionPolicy, RuleMatch } from './action-policy.ts';
import { evaluatePolicies, type PolicyDecision } from './evaluate.ts';

/** What a person allows for the rest of a session. It says in plain words what patterns would say. */
export type Grant =
  /** An action of the computer, wherever it points. */
  | { readonly tool: 'computer'; readonly action: string }
  /** These commands, each exactly as it is read: without quotes, with single spaces. */
  | { readonly tool: 'bash'; readonly action: 'command'; readonly commands: readonly string[] }
  /** Every command that begins with these words and redirects nothing. */
  | { readonly tool: 'bash'; readonly action: 'command'; readonly command_prefix: string }
  | { readonly tool: 'bash'; readonly action: 'restart' }
  /** A command of the editor for the paths of a glob. */
  | { readonly tool: 'editor'; readonly action: string; readonly path: string }
  | { readonly tool: 'web'; readonly action: string; readonly host: string };

/** A grant of a session's log that was not withdrawn. */
export interface HeldGrant {
  /** The id of the `user.tool_confirmation` that gave it. */
  readonly id: string;
  /** The tool use that was allowed with it. */
  readonly tool_use_id: string;
  /** As RFC 3339. */
  readonly granted_at: string;
  readonly grant: Grant;
}

/** The most grants that a session holds at a time. */
export const MOST_GRANTS = 100;
/** The longest texts of a grant, so that a person can read what it allows. */
export const LONGEST_COMMANDS = { count: 20, characters: 500 } as const;

const action = z.string().regex(/^[a-z_]{1,64}$/, 'the name of an action');
const command = z.string().min(1).max(LONGEST_COMMANDS.characters);

/** `grant` of a `user.tool_confirmation`. */
export const grantInput: z.ZodType<Grant> = z.union([
  z.strictObject({ tool: z.literal('computer'), action }),
  z.strictObject({
    tool: z.literal('bash'),
    action: z.literal('command'),
    commands: z.array(command).min(1).max(LONGEST_COMMANDS.count),
  }),
  z.strictObject({
    tool: z.literal('bash'),
    action: z.literal('command'),
    command_prefix: command.regex(/^\S+( \S+)*$/, 'words with one space between them'),
  }),
  z.strictObject({ tool: z.literal('bash'), action: z.literal('restart') }),
  z.strictObject({
    tool: z.literal('editor'),
    action,
    path: z.string().max(LONGEST_COMMANDS.characters).regex(/^\//, 'a path begins with `/`'),
  }),
  z.strictObject({ tool: z.literal('web'), action, host: z.hostname() }),
]);

/**
 * The decision that a person has made beforehand on a tool use: that of the oldest grant, where grants cover each of its
 * actions; undefined where they do not.
 */
export async function grantedBy(
  grants: readonly Pick<HeldGrant, 'id' | 'grant'>[],
  facts: readonly ActionFacts[],
): Promise<PolicyDecision | undefined> {
  if (grants.length === 0 || facts.length === 0) return undefined;
  const policy: ActionPolicy = {
    rules: grants.map(({ id, grant }) => ({ name: id, match: matchOf(grant), decision: 'allow' })),
  };
  return await evaluatePolicies([{ source: 'person', policy }], facts, null);
}

/** Whether a grant by itself allows all that a tool use does. */
export async function covers(grant: Grant, facts: readonly ActionFacts[]): Promise<boolean> {
  return (await grantedBy([{ id: 'grant', grant }], facts)) !== undefined;
}

function matchOf(grant: Grant): RuleMatch {
  const { tool, action: of } = grant;
  if ('commands' in grant) return { tool, action: of, command: grant.commands.map(literally) };
  if ('command_prefix' in grant)
    // What is redirected is written or read beside the command, so that its words do not say what it does.
    return { tool, action: of, command: `${literally(grant.command_prefix)}( [^<>\\n]*)?` };
  if ('path' in grant) return { tool, action: of, path: grant.path };
  if ('host' in grant) return { tool, action: of, host: grant.host };
  return { tool, action: of };
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, '\\$&');
}
