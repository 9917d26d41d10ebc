import { posix } from 'node:path';
import { isRecord } from '@steadyhand/messages';
import type { ToolFamily } from './action-policy.ts';

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

type Fields = Readonly<Record<string, unknown>>;

/** A tool use: the type of the tool's definition, its name, and the model's unvalidated input. */
interface UseOfTool {
  readonly type: string;
  readonly name: string;
  readonly input: unknown;
}

/** The computer's actions whose `text` names keys. */
const KEYS = new Set(['key', 'hold_key']);

/** The facts of each action of a tool use; none for a tool that does not run in a sandbox. */
export function factsOf({ type, name, input }: UseOfTool): readonly ActionFacts[] {
  const fields = isRecord(input) ? input : {};
  if (type === 'agent_toolset_20260401') return toolsetFacts(name, fields);
  if (type.startsWith('bash_')) return [bashFacts(fields)];
  if (type.startsWith('text_editor_')) return [editorFacts(fields)];
  if (!type.startsWith('computer_')) return [];
  return computerFacts(type === 'computer_toolset_20260801' ? { ...fields, action: name } : fields);
}

function bashFacts({ command, restart }: Fields): ActionFacts {
  if (restart === true) return { tool: 'bash', action: 'restart', texts: [] };
  return {
    tool: 'bash',
    action: 'command',
    texts: [],
    ...(typeof command === 'string' ? { command } : {}),
  };
}

function editorFacts(fields: Fields): ActionFacts {
  const { command, path } = fields;
  return {
    tool: 'editor',
    action: typeof command === 'string' ? command : '',
    ...(typeof path === 'string' ? { path: normal(path) } : {}),
    texts: textsOf(fields, ['file_text', 'new_str', 'insert_text']),
  };
}

function computerFacts(fields: Fields): ActionFacts[] {
  const { action, text } = fields;
  const name = typeof action === 'string' ? action : '';
  const texts = typeof text === 'string' && !KEYS.has(name) ? [text] : [];
  return [{ tool: 'computer', action: name, texts }];
}

function textsOf(fields: Fields, names: readonly string[]): readonly string[] {
  return names.map((name) => fields[name]).filter((text) => typeof text === 'string');
}

function normal(path: string): string {
  const given = posix.normalize(path);
  return given.length > 1 && given.endsWith('/') ? given.slice(0, -1) : given;
}

/** The folder to which relative paths belong. */
const HOME = '/home/agent';

/**
 * The facts of a use of a member of the agent toolset. The members for files belong to the editor's family, so that
 * rules about the editor hold for them too.
 */
function toolsetFacts(member: string, fields: Fields): readonly ActionFacts[] {
  switch (member) {
    case 'bash':
      return toolsetBashFacts(fields);
    case 'read':
      return [fileFacts(member, 'view', fields)];
    case 'write':
      return [fileFacts(member, 'create', fields)];
    case 'edit':
      return [fileFacts(member, 'str_replace', fields)];
    case 'glob':
      return [{ tool: 'editor', action: member, path: globFolder(fields), texts: [] }];
    case 'grep':
      return [
        { tool: 'editor', action: member, alike: ['view'], path: searched(fields), below: true, texts: [] },
      ];
    case 'web_fetch':
      return [{ tool: 'web', action: member, texts: [], ...urlOf(fields['url']) }];
    default:
      return [];
  }
}

/** A restart may come with a command, which then runs. */
function toolsetBashFacts({ command, restart }: Fields): ActionFacts[] {
  const isCommand = typeof command === 'string' && command !== '';
  return [
    ...(restart === true ? [{ tool: 'bash', action: 'restart', texts: [] } as const] : []),
    ...(isCommand || restart !== true
      ? [{ tool: 'bash', action: 'command', texts: [], ...(isCommand ? { command } : {}) } as const]
      : []),
  ];
}

function fileFacts(action: string, alike: string, fields: Fields): ActionFacts {
  const path = fields['file_path'];
  return {
    tool: 'editor',
    action,
    alike: [alike],
    ...(typeof path === 'string' ? { path: absolute(path) } : {}),
    texts: textsOf(fields, ['content', 'new_string']),
  };
}

function searched({ path }: Fields): string {
  return absolute(typeof path === 'string' ? path : '.');
}

/** The folder in which a glob begins: the folders before its first wildcard count. */
function globFolder(fields: Fields): string {
  const { pattern } = fields;
  if (typeof pattern !== 'string') return searched(fields);
  const [literal = ''] = pattern.split(/[*?[{\\]/, 1);
  const folder = literal.slice(0, literal.lastIndexOf('/') + 1);
  return folder.startsWith('/') ? absolute(folder) : posix.join(searched(fields), folder, '.');
}

function urlOf(url: unknown): Pick<ActionFacts, 'url'> {
  return typeof url === 'string' && URL.canParse(url.trim()) ? { url: new URL(url.trim()).href } : {};
}

/** The absolute path without `.`, `..`, doubled slashes and one at the end. */
function absolute(path: string): string {
  return posix.resolve(HOME, path);
}
