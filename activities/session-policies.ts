import type { ActionPolicy, SessionData, SourcedPolicy } from '@steadyhand/sessions';

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
