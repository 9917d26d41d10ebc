import { z } from 'zod';
import { compilePattern } from './pattern.ts';
import { PatternError } from './pattern-syntax.ts';

/** The names of a sandbox's tools in rules, the same for all generations. */
const TOOL_FAMILIES = ['computer', 'editor', 'bash', 'web'] as const;
export type ToolFamily = (typeof TOOL_FAMILIES)[number];

export type Decision = 'allow' | 'ask' | 'deny';

/** The condition of a rule: all given fields have to match. A list matches where one of its items does. */
export interface RuleMatch {
  readonly tool?: ToolFamily | readonly ToolFamily[];
  /**
   * An action of the computer, a command of the editor, a member of the agent toolset; for bash `command` or `restart`.
   */
  readonly action?: string | readonly string[];
  /** Patterns for bash commands. */
  readonly command?: string | readonly string[];
  /** Globs for the path of a file: `*` within a folder, `**` across folders. */
  readonly path?: string | readonly string[];
  /** Patterns for text that is typed, put on the clipboard, or written by the editor. */
  readonly text?: string | readonly string[];
  /** Patterns for the title of the window that has the keyboard. Only the computer's actions match. */
  readonly window_title?: string | readonly string[];
  /** Hosts of `web_fetch`: a name, or `*.example.com` for all subdomains. */
  readonly host?: string | readonly string[];
  /** Patterns for the URL of `web_fetch`. */
  readonly url?: string | readonly string[];
}

export interface PolicyRule {
  /** The name that the model and events are given; by default the rule's place, from 1. */
  readonly name?: string;
  readonly match: RuleMatch;
  readonly decision: Decision;
  /** An explanation for the model. */
  readonly message?: string;
}

/**
 * Rules in order: the first that matches an action decides. Where none does, the tool's `permission_policy` decides.
 */
export interface ActionPolicy {
  readonly rules: readonly PolicyRule[];
}

const MOST_RULES = 200;
const MOST_CHARACTERS = 1000;

function list<T extends z.ZodType>(one: T): z.ZodUnion<[T, z.ZodArray<T>]> {
  return z.union([one, z.array(one).min(1).max(MOST_RULES)]);
}

const pattern = z
  .string()
  .min(1)
  .max(MOST_CHARACTERS)
  .superRefine((source, context) => {
    try {
      compilePattern(source);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      context.addIssue({ code: 'custom', message: `not a pattern: ${error.message}` });
    }
  });
const glob = z
  .string()
  .max(MOST_CHARACTERS)
  .regex(/^(\/|\*\*)/, 'a path begins with `/` or `**`');

const host = z
  .string()
  .max(MOST_CHARACTERS)
  .regex(/^(\*\.)?[^\s/@*?#]+$/, 'a host is a name such as `example.com`, or `*.example.com`');

const match = z.strictObject({
  tool: z.exactOptional(list(z.enum(TOOL_FAMILIES))),
  action: z.exactOptional(list(z.string().regex(/^[a-z_]{1,64}$/, 'the name of an action'))),
  command: z.exactOptional(list(pattern)),
  path: z.exactOptional(list(glob)),
  text: z.exactOptional(list(pattern)),
  window_title: z.exactOptional(list(pattern)),
  host: z.exactOptional(list(host)),
  url: z.exactOptional(list(pattern)),
});

/** `policy` of an agent, a session, a sandbox, or the server's file. */
export const actionPolicy: z.ZodType<ActionPolicy> = z.strictObject({
  rules: z
    .array(
      z.strictObject({
        name: z.exactOptional(z.string().min(1).max(64)),
        match,
        decision: z.enum(['allow', 'ask', 'deny']),
        message: z.exactOptional(z.string().min(1).max(1000)),
      }),
    )
    .max(MOST_RULES),
});
