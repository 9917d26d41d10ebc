import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { backupDatabase } from './backup.ts';

/** The engine's file in its folder. */
const FILE = 'engine.db';

/**
 * Copies the embedded engine's state, as it is at one moment, into another folder, from which an engine can be started. An
 * engine may work with it meanwhile. The access token is not copied.
 *
 * @param dataDir the folder that `startEngine` was given
 * @param into the folder of the copy; made when missing; it must hold no engine
 * @returns false when the folder holds no engine
 * @throws EngineUnavailableError when the database cannot be used
 */
export async function copyEngine(dataDir: string, into: string): Promise<boolean> {
  const from = join(dataDir, FILE);
  if (!existsSync(from)) return false;
  await mkdir(into, { recursive: true, mode: 0o700 });
  backupDatabase(from, join(into, FILE));
  return true;
}
