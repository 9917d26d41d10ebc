import { z } from 'zod';
import { accepting, isRecord } from '@steadyhand/messages';
import { compilePattern } from '../policy/pattern.ts';
import { PatternError } from '../policy/pattern-syntax.ts';

/** The tools that can use a secret's value. */
const SECRET_TOOLS = ['computer', 'editor', 'bash'] as const;
type SecretTool = (typeof SECRET_TOOLS)[number];

/** A session's secret without its value. */
export interface SecretInfo {
  readonly name: string;
  readonly allowed_tools: readonly SecretTool[];
  /** Patterns for whole window titles. The secret is typed only into windows with such a title. */
  readonly window_title?: readonly string[];
}

/** A secret as the session's creator gives it: with a value, or with the name of one of the server's secrets. */
export type GivenSecret = SecretInfo & ({ readonly value: string } | { readonly from: string });

const MOST_SECRETS = 50;
const LEAST_CHARACTERS = 4;
const MOST_CHARACTERS = 16_384;
const NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
/** Variables that control a shell, the dynamic linker or other programs. */
const RESERVED_NAMES =
  /^(PATH|HOME|USER|SHELL|PWD|OLDPWD|IFS|ENV|PS[0-4]|CDPATH|EUID|UID|PPID|RANDOM|SECONDS|LINENO|OPTARG|OPTIND|REPLY|DISPLAY|XAUTHORITY|TERM|LANG|TMPDIR|HISTFILE|PROMPT_COMMAND|SHELLOPTS|NODE_OPTIONS|(BASH|LC|LD|DBUS|XDG|GLOBIGNORE|POSIXLY)(_\w*)?|(HTTPS?|NO|ALL)_PROXY)$/;

type AddIssue = (path: readonly (string | number)[], message: string) => void;

/** This is validated by hand, as errors must not repeat a secret's value. */
const given = z.unknown().transform((body, context): readonly GivenSecret[] => {
  let failed = false;
  const addIssue: AddIssue = (path, message) => {
    failed = true;
    context.addIssue({ code: 'custom', path: [...path], message });
  };
  if (!isRecord(body)) addIssue([], 'Input should be an object of secrets by name');
  const entries = isRecord(body) ? Object.entries(body) : [];
  if (entries.length > MOST_SECRETS) addIssue([], `A session can have at most ${MOST_SECRETS} secrets`);
  const secrets = entries.flatMap(([name, entry]) => {
    if (!NAME.test(name)) addIssue([name], 'a name is capital letters, digits and underscores, at most 64');
    else if (RESERVED_NAMES.test(name))
      addIssue([name], 'a name that programs give a meaning to; choose another');
    const secret = readSecret(name, entry, addIssue);
    return secret === undefined ? [] : [secret];
  });
  return failed ? z.NEVER : secrets;
});

const list = z.union([z.string(), z.array(z.string()).min(1)]);
const form = z.strictObject({
  value: z.string().min(LEAST_CHARACTERS).max(MOST_CHARACTERS).optional(),
  from: z.string().optional().describe('A name in the server’s file of secrets, in the place of a value'),
  allowed_tools: z.array(z.enum(SECRET_TOOLS)).optional(),
  window_title: list.optional().describe('Patterns of whole window titles'),
});

/** `secrets` of a new session. */
export const sessionSecrets = accepting(given, z.record(z.string().regex(NAME), z.union([z.string(), form])));

const FIELDS = new Set(['value', 'from', 'allowed_tools', 'window_title']);

function readSecret(name: string, entry: unknown, addIssue: AddIssue): GivenSecret | undefined {
  const fields = typeof entry === 'string' ? { value: entry } : entry;
  if (!isRecord(fields)) {
    addIssue([name], 'Input should be a string, or an object with `value` or `from`');
    return undefined;
  }
  const extra = Object.keys(fields).find((field) => !FIELDS.has(field));
  if (extra !== undefined) addIssue([name, extra], 'Extra inputs are not permitted');
  const { value, from, allowed_tools: tools, window_title: titles } = fields;
  if ((value === undefined) === (from === undefined)) addIssue([name], 'expected either `value` or `from`');
  if (value !== undefined) checkValue([name, 'value'], value, addIssue);
  if (from !== undefined && typeof from !== 'string')
    addIssue([name, 'from'], 'Input should be a valid string');
  const windows = titles === undefined ? undefined : typeof titles === 'string' ? [titles] : titles;
  if (windows !== undefined) checkTitles([name, 'window_title'], windows, addIssue);
  const areTools = Array.isArray(tools) && tools.every((tool) => SECRET_TOOLS.includes(tool as SecretTool));
  if (tools !== undefined && !areTools)
    addIssue([name, 'allowed_tools'], `expected a list of ${SECRET_TOOLS.join(', ')}`);
  // A secret for certain windows is for the keyboard alone by default.
  const byDefault = windows === undefined ? SECRET_TOOLS : (['computer'] as const);
  return {
    name,
    ...(typeof from === 'string' ? { from } : { value: String(value) }),
    allowed_tools: areTools ? (tools as SecretTool[]) : byDefault,
    ...(windows === undefined ? {} : { window_title: windows as string[] }),
  };
}

/** Why a value is not accepted; undefined where it is. */
export function valueFault(value: string): string | undefined {
  if (value.trim().length < LEAST_CHARACTERS)
    return `a value has at least ${LEAST_CHARACTERS} characters: a shorter one could not be kept out of texts`;
  if (value.length > MOST_CHARACTERS) return `a value has at most ${MOST_CHARACTERS} characters`;
  return value.includes('\0') ? 'a value holds no NUL characters' : undefined;
}

function checkValue(path: readonly string[], value: unknown, addIssue: AddIssue): void {
  const fault = typeof value === 'string' ? valueFault(value) : 'Input should be a valid string';
  if (fault !== undefined) addIssue(path, fault);
}

function checkTitles(path: readonly string[], titles: unknown, addIssue: AddIssue): void {
  if (!Array.isArray(titles) || titles.length === 0 || !titles.every((title) => typeof title === 'string')) {
    addIssue(path, 'expected a pattern or a list of patterns');
    return;
  }
  for (const title of titles as string[]) {
    try {
      compilePattern(title);
    } catch (error) {
      if (!(error instanceof PatternError)) throw error;
      addIssue(path, `not a pattern: ${error.message}`);
    }
  }
}
