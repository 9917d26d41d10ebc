import { posix } from 'node:path';
import type { ActionFacts } from './action-facts.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Where a path that does not begin at the root is taken from. */
const HOME = '/home/agent';

/**
 * The facts of a use of a member of the agent toolset. Those that are about files are of the editor's family: a rule about what the
 * editor may write holds for them without being written anew.
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

/** A restart may come with a command, which is run. */
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

/** The folder that a glob begins in: what it says before its first wildcard leads further down. */
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

/** From the root on, without `.`, `..`, doubled slashes and one at the end. */
function absolute(path: string): string {
  return posix.resolve(HOME, path);
}
