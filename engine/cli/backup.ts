import process from 'node:process';
import { backupDatabase } from '../embedded/persistence/backup.ts';
import { CommandLineError } from './command-line-error.ts';

/** `backup <file> <copy>`: copies an engine's database, whether the engine runs or not. */
export function backupCommand(args: readonly string[]): Promise<void> {
  const [path, copy, more] = args;
  if (path === undefined || copy === undefined || more !== undefined)
    throw new CommandLineError("backup takes the engine's file and the name of the copy");
  const bytes = backupDatabase(path, copy);
  process.stdout.write(`${copy} is a copy of ${path} with ${bytes} bytes\n`);
  return Promise.resolve();
}
