import { z } from 'zod';
import { compilePattern } from './pattern.ts';
import { PatternError } from './pattern-syntax.ts';

/** The tools of a sandbox, whatever their generation, as rules name them. */
export const TOOL_FAMILIES = ['computer', 'editor', 'bash', 'web'] as const;
export type ToolFamily = (typeof TOOL_FAMILIES)[number];

export type Decision = 'allow' | 'ask' | 'deny';

/** What a rule is about: all that it names has to hold. A list holds where any of it does. */
export interface RuleMatch {
  readonly tool?: ToolFamily | readonly ToolFamily[];
  /** Of the computer its actions, of the editor its commands, of the agent toolset its members; of bash `command` or `restart`. */
  readonly action?: string | readonly string[];
  /** Patterns of a bash command. */
  readonly command?: string | readonly string[];
  /** Globs of the path of a file: `*` within a folder, `**` across folders. */
  readonly path?: string | readonly string[];
  /** Patterns of what is typed, put on the clipboard, or written by the editor. */
  readonly text?: string | readonly string[];
  /** Patterns of the title of the window that has the keyboard; the computer's actions alone. */
  readonly window_title?: string | readonly string[];
  /** Hosts that `web_fetch` is asked for: a name, or `*.example.com` for all below one. */
  readonly host?: string | readonly string[];
  /** Patterns of the URL that `web_fetch` is asked for. */
  readonly url?: string | readonly string[];
}

export interface PolicyRule {
  /** Told to the model and in events; default: the rule's place, from 1. */
  readonly name?: string;
  readonly match: RuleMatch;
  readonly decision: Decision;
  /** For the model. */
  readonly message?: string;
}

/** Rules in order: the first that matches an action decides on it; where none does the tool's `permission_policy` stands. */
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
