import Database from 'libsql';

/** How long the engine waits for another one that is about to end, in ms. */
const PATIENCE_MS = 5000;

/**
 * Sees to it that one engine at a time uses a database: two would each take the other's runs for their own. The lock is on
 * a file beside the database, so that copies can be made meanwhile, and goes with the process, however that ends.
 *
 * @returns what gives the lock back
 * @throws SqliteError SQLITE_BUSY when another engine has the lock
 */
export function lockFile(path: string): () => void {
  const lock = new Database(`${path}.lock`);
  try {
    lock.exec(`PRAGMA busy_timeout = ${PATIENCE_MS}`);
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw error;
  }
  return () => lock.close();
}
