import { sessionData, type SessionData } from '@steadyhand/sessions';
import { NotStoredError, type Store } from '@steadyhand/store';

/** The session's record as it is now. Throws NotStoredError when the session was deleted. */
export async function readSession(store: Store, session: string): Promise<SessionData> {
  const record = await store.sessions.get(session);
  if (!record) throw new NotStoredError('session', session);
  return sessionData(record);
}
