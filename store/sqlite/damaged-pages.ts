import { CorruptError } from '../contract/errors.ts';
import { codeOf } from '../disk/faults.ts';

/** Whether a page of the file could not be read for what stands on it. */
export function isDamagedPage(error: unknown): boolean {
  return codeOf(error).startsWith('SQLITE_CORRUPT');
}

/** Answers what `otherwise` does where a page that `read` comes to is damaged. */
export function unlessDamagedPage<T>(read: () => T, otherwise: (error: unknown) => T): T {
  try {
    return read();
  } catch (error) {
    if (!isDamagedPage(error)) throw error;
    return otherwise(error);
  }
}

/**
 * Reads what belongs to a session.
 * @throws {CorruptError} which names it, where a page that is read is damaged
 */
export function readOf<T>(session: string, read: () => T): T {
  return unlessDamagedPage(read, (cause) => {
    throw new CorruptError(`${session}: a page of the store's file is damaged`, { cause });
  });
}
