import { readConfig } from '../config/config.ts';
import type { Command } from './command-line.ts';
import { move } from './move.ts';

/** Does what a command says and answers what to print. */
export async function runCommand(command: Command, env: NodeJS.ProcessEnv): Promise<string> {
  const config = readConfig(env, []);
  switch (command.name) {
    case 'move':
      return move(config, env, command);
    case 'backup':
    case 'restore':
      throw new Error('not yet');
  }
}
