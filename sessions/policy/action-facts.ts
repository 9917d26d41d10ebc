import { posix } from 'node:path';
import { isRecord } from '@steadyhand/messages';
import type { ToolFamily } from './action-policy.ts';
import { toolsetFacts } from './toolset-facts.ts';

/** What rules can match of an action, in the same form for all generations of tools. */
export interface ActionFacts {
  readonly tool: ToolFamily;
  readonly action: string;
  /** Names of the same action in other tools. Rules that deny or ask match these as well. */
  readonly alike?: readonly string[];
  readonly command?: string;
  /** The path without `.`, `..`, doubled slashes and one at the end. */
  readonly path?: string;
  /** The action reaches everything below the path too. */
  readonly below?: true;
  /** The URL in the normal form of browsers. */
  readonly url?: string;
  /** The texts that it types or writes. */
  readonly texts: readonly string[];
}

/** A tool use: the type of the tool's definition, its name, and the model's unvalidated input. */
interface UseOfTool {
  readonly type: string;
  readonly name: string;
  readonly input: unknown;
}

/** The computer's actions whose `text` names keys. */
const KEYS = new Set(['key', 'hold_key']);
const WRITTEN = ['file_text', 'new_str', 'insert_text'] as const;

/** The facts of each action of a tool use; none for a tool that does not run in a sandbox. */
export function factsOf({ type, name, input }: UseOfTool): readonly ActionFacts[] {
  const fields = isRecord(input) ? input : {};
  if (type === 'agent_toolset_20260401') return toolsetFacts(name, fields);
  if (type.startsWith('bash_')) return [bashFacts(fields)];
  if (type.startsWith('text_editor_')) return [editorFacts(fields)];
  if (!type.startsWith('computer_')) return [];
  return computerFacts(type === 'computer_toolset_20260801' ? { ...fields, action: name } : fields);
}

function bashFacts({ command, restart }: Readonly<Record<string, unknown>>): ActionFacts {
  if (restart === true) return { tool: 'bash', action: 'restart', texts: [] };
  return {
    tool: 'bash',
    action: 'command',
    texts: [],
    ...(typeof command === 'string' ? { command } : {}),
  };
}

function editorFacts(fields: Readonly<Record<string, unknown>>): ActionFacts {
  const { command, path } = fields;
  return {
    tool: 'editor',
    action: typeof command === 'string' ? command : '',
    ...(typeof path === 'string' ? { path: normal(path) } : {}),
    texts: WRITTEN.flatMap((field) => (typeof fields[field] === 'string' ? [fields[field]] : [])),
  };
}

function computerFacts(fields: Readonly<Record<string, unknown>>): ActionFacts[] {
  const { action, text } = fields;
  const name = typeof action === 'string' ? action : '';
  const texts = typeof text === 'string' && !KEYS.has(name) ? [text] : [];
  return [{ tool: 'computer', action: name, texts }];
}

function normal(path: string): string {
  const given = posix.normalize(path);
  return given.length > 1 && given.endsWith('/') ? given.slice(0, -1) : given;
}
