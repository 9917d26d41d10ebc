import { posix } from 'node:path';
import type { ActionFacts } from './action-facts.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The folder to which relative paths belong. */
const HOME = '/home/agent';

/**
 * The facts of a use of a member of the agent toolset. The members for files belong to the editor's family, so that
 * rules about the editor hold for them too.
 */
export function toolsetFacts(member: string, fields: Fields): readonly ActionFacts[] {
  switch (member) {
    case 'bash':
      return bashFacts(fields);
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
function bashFacts({ command, restart }: Fields): ActionFacts[] {
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
    texts: ['content', 'new_string'].flatMap((field) => {
      const text = fields[field];
      return typeof text === 'string' ? [text] : [];
    }),
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
