import { ROLE } from '../config/variables.ts';

/** What the program does in place of serving, and then ends. */
const COMMANDS = {
  backup: { usage: 'backup <folder>', options: [] },
  restore: { usage: 'restore <folder> [--secrets-key=<file>|lost]', options: ['secrets-key'] },
  move: {
    usage:
      'move --to=postgres://user@host:port/database [--blobs=s3://bucket/prefix?endpoint=…] [--histories=<folder>]',
    options: ['to', 'blobs', 'histories'],
  },
} as const;

type CommandName = keyof typeof COMMANDS;

export interface Command {
  readonly name: CommandName;
  /** The folder that `backup` and `restore` name; '' for `move`. */
  readonly folder: string;
  readonly options: Readonly<Record<string, string | undefined>>;
}

/** A command line that says nothing that can be done. */
export class CommandLineError extends Error {
  override readonly name = 'CommandLineError';
}

/**
 * The command that a command line names; undefined for one that only names a role, or nothing.
 * @throws {CommandLineError} in one line that says how the command is written
 */
export function readCommand(args: readonly string[]): Command | undefined {
  const [first = '', ...rest] = args;
  if (first === '' || first.startsWith('-')) return undefined;
  const name = Object.keys(COMMANDS).find((each): each is CommandName => each === first);
  if (name === undefined)
    throw new CommandLineError(
      `${first} is no command: there are ${Object.keys(COMMANDS).join(', ')}, and ${ROLE.name}=<role>`,
    );
  const { usage, options } = COMMANDS[name];
  const misread = (what: string): never => {
    throw new CommandLineError(`${what}: ${usage}`);
  };
  const found: Record<string, string> = {};
  const folders: string[] = [];
  for (const arg of rest) {
    const [, option, value = ''] = /^--([a-z-]+)=(.*)$/.exec(arg) ?? [];
    if (option !== undefined && options.some((each) => each === option)) found[option] = value;
    else if (arg.startsWith('-')) misread(`${arg} is no option of ${name}`);
    else folders.push(arg);
  }
  const wanted = name === 'move' ? 0 : 1;
  if (folders.length !== wanted)
    misread(wanted === 0 ? `${folders[0]} is not expected` : `${name} needs one folder`);
  if (name === 'move' && found['to'] === undefined) misread('move needs --to');
  return { name, folder: folders[0] ?? '', options: found };
}
