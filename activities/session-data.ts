import { sessionData, type SessionData } from '../sessions/index.ts';
import { NotStored, type Store } from '../store/index.ts';

/** The session's record as it is now. Throws NotStored when the session was deleted. */
export async function readSession(store: Store, session: string): Promise<SessionData> {
  const record = await store.sessions.get(session);
  if (!record) throw new NotStored('session', session);
  return sessionData(record);
}
