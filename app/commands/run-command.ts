import { readConfig } from '../config/config.ts';
import { backup } from './backup.ts';
import type { Command } from './command-line.ts';
import { move } from './move.ts';
import { restore } from './restore.ts';

/**
 * Does what a command says and answers what to print.
 * @param version the product's
 */
export async function runCommand(command: Command, env: NodeJS.ProcessEnv, version: string): Promise<string> {
  const config = readConfig(env, []);
  switch (command.name) {
    case 'backup':
      return backup(config, version, command);
    case 'restore':
      return restore(config, command);
    case 'move':
      return move(config, env, command);
  }
}
