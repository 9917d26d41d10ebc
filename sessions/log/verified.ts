import { CorruptError, type Store, type Verification } from '@steadyhand/store';
import { changed } from '../api/validate.ts';

/**
 * Verifies that a session's event log is what was written: the whole log when this process first asks, and later only
 * what was appended since. Throws CorruptError with the place of the damage; a damaged log must not be acted on.
 */
export async function requireIntact(store: Store, session: string): Promise<void> {
  const found = await store.events.verifyNew(session);
  if (!found.ok)
    throw new CorruptError(
      `the log of session ${session} is broken at event ${found.broken_at}: ${found.reason}`,
    );
}

/** Verifies the whole event log of a session. Throws NotFoundError. */
export async function verifySession(store: Store, session: string): Promise<Verification> {
  return changed(store.events.verify(session), 'Session', session);
}
