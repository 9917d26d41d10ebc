import { posix } from 'node:path';
import { isRecord } from '@steadyhand/messages';
import type { ToolFamily } from './action-policy.ts';
import { toolsetFacts } from './toolset-facts.ts';

/** What a tool use is about, whichever generation of tools says it. */
export interface ActionFacts {
  readonly tool: ToolFamily;
  readonly action: string;
  /** What other tools call the same: a rule that denies or asks about one of these holds too. */
  readonly alike?: readonly string[];
  readonly command?: string;
  /** Without `.`, `..`, doubled slashes and one at the end. */
  readonly path?: string;
  /** It is about what lies below the path too. */
  readonly below?: true;
  /** As browsers write it. */
  readonly url?: string;
  /** What it types or writes, each text on its own. */
  readonly texts: readonly string[];
}

/** A use of a tool: its definition's type, its name, and the model's input as it came. */
export interface UseOfTool {
  readonly type: string;
  readonly name: string;
  readonly input: unknown;
}

/** Actions of the computer whose `text` is keys, not text. */
const KEYS = new Set(['key', 'hold_key']);
const WRITTEN = ['file_text', 'new_str', 'insert_text'] as const;

/**
 * The facts of a tool use; several of one that holds several actions. None of a tool that is no sandbox's.
 */
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
