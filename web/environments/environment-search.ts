/** What an environment's page shows, in its address. */
export interface EnvironmentSearch {
  readonly tab?: 'sessions' | undefined;
}

export function environmentSearch({ tab }: Record<string, unknown>): EnvironmentSearch {
  return tab === 'sessions' ? { tab } : {};
}
