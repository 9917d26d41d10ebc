import { CorruptError, NotStoredError, type Store, type Verification } from '@steadyhand/store';
import { NotFoundError } from '../api/validate.ts';

/**
 * Sees to it that a session's log is what was written: all of it when this process first asks, afterwards what was appended
 * since. Throws CorruptError, which says where it broke; nothing is to be done by such a log.
 */
export async function requireIntact(store: Store, session: string): Promise<void> {
  const found = await store.events.verifyNew(session);
  if (!found.ok)
    throw new CorruptError(
      `the log of session ${session} is broken at event ${found.broken_at}: ${found.reason}`,
    );
}

/** Walks the whole log of a session. Throws NotFoundError. */
export async function verifySession(store: Store, session: string): Promise<Verification> {
  try {
    return await store.events.verify(session);
  } catch (error) {
    throw error instanceof NotStoredError ? new NotFoundError('Session', session) : error;
  }
}
