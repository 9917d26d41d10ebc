import type { ActionFacts } from './action-facts.ts';
import { isWrapper, readCommand } from './command-readings.ts';
import { covers, type Grant, LONGEST_COMMANDS } from './grant.ts';

/** Programs that run what their arguments say: words at their beginning tell little of what they do. */
const INTERPRETERS =
  /^(python|node|deno|bun|perl|ruby|php|lua|awk|gawk|sed|ssh|docker|podman|kubectl|make|npx|uvx|su)[\d.]*$/;
/** A word that names what a program is to do, as `push` in `git push`. */
const SUBCOMMAND = /^[a-z][\w:-]{0,31}$/;

/**
 * The grants that a person may be offered beside a tool use, the narrowest first; none where no narrow one would cover it.
 * Each of them covers the use.
 */
export async function grantChoices(facts: readonly ActionFacts[]): Promise<readonly Grant[]> {
  const [fact, ...more] = facts;
  if (fact === undefined || more.length > 0) return [];
  const choices: Grant[] = [];
  for (const grant of candidates(fact)) if (await covers(grant, facts)) choices.push(grant);
  return choices;
}

function candidates(fact: ActionFacts): readonly Grant[] {
  const { tool, action, path, url } = fact;
  switch (tool) {
    case 'computer':
      return action === '' ? [] : [{ tool, action }];
    case 'bash':
      return action === 'restart' ? [{ tool, action }] : commandGrants(fact.command ?? '');
    case 'editor':
      return path?.startsWith('/') === true ? pathGrants(fact, path) : [];
    case 'web':
      return url === undefined ? [] : [{ tool, action, host: new URL(url).hostname }];
  }
}

function commandGrants(text: string): readonly Grant[] {
  const { commands: read, tooMany } = readCommand(text);
  const commands = [...new Set(read)];
  const { count, characters } = LONGEST_COMMANDS;
  if (tooMany || commands.length === 0 || commands.length > count) return [];
  const base = { tool: 'bash', action: 'command' } as const;
  const exact = commands.every(({ length }) => length <= characters) ? [{ ...base, commands }] : [];
  const [only = '', ...others] = commands;
  const prefixes = others.length === 0 ? prefixesOf(only) : [];
  return [...exact, ...prefixes.map((command_prefix) => ({ ...base, command_prefix }))];
}

/** The program with the word that may say what it is to do, and the program alone; none for programs that run other ones. */
function prefixesOf(command: string): readonly string[] {
  const [program = '', second = ''] = command.split(' ');
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (!/^[\w./+-]{1,64}$/.test(program) || isWrapper(name)) return [];
  return [
    ...(SUBCOMMAND.test(second) ? [`${program} ${second}`] : []),
    ...(INTERPRETERS.test(name) ? [] : [program]),
  ];
}

function pathGrants({ action, below }: ActionFacts, path: string): readonly Grant[] {
  // A grant's path is a glob, and a name may hold its characters.
  if (/[*?]/.test(path) || path.length > LONGEST_COMMANDS.characters - 3) return [];
  const all = `${path === '/' ? '' : path}/**`;
  if (below === true) return [{ tool: 'editor', action, path: all }];
  const folder = path.slice(0, path.lastIndexOf('/'));
  return [
    { tool: 'editor', action, path },
    ...(folder === '' ? [] : [{ tool: 'editor', action, path: `${folder}/**` } as const]),
  ];
}
