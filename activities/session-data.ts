import { type ActionPolicy, sessionData, type SessionData, type SourcedPolicy } from '@steadyhand/sessions';
import { type Store, stored } from '@steadyhand/store';

/** The session's record as it is now. Throws NotStoredError when the session was deleted. */
export async function readSession(store: Store, session: string): Promise<SessionData> {
  return sessionData(stored(await store.sessions.get(session), 'session', session));
}

/** The policies that hold for a session: the server's, its agent's and its own. */
export function policiesOf(
  server: ActionPolicy | undefined,
  { agent, policy }: Pick<SessionData, 'agent' | 'policy'>,
): readonly SourcedPolicy[] {
  return [
    ...(server === undefined ? [] : [{ source: 'server', policy: server } as const]),
    ...(agent.policy === undefined ? [] : [{ source: 'agent', policy: agent.policy } as const]),
    ...(policy === undefined ? [] : [{ source: 'session', policy } as const]),
  ];
}
