import type { Page } from '../../sessions/api/query.ts';
import type { SessionEvent, Sessions } from '../../sessions/index.ts';

/** The events of a session as a client lists them. */
export async function listed(sessions: Sessions, session: string, query = ''): Promise<Page<SessionEvent>> {
  const pieces = await sessions.events.list(session, new URLSearchParams(query));
  let text = '';
  for await (const piece of pieces) text += piece;
  return JSON.parse(text) as Page<SessionEvent>;
}
