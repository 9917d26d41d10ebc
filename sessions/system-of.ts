import { mountedNote } from './resources/resource.ts';
import { secretsNote } from './secrets/prompt.ts';
import type { SessionData } from './session-data.ts';

/** The system prompt of a session's model requests: the agent's own words, then what is mounted for it and its secrets. */
export function systemOf({
  agent,
  resources,
  secrets,
}: Pick<SessionData, 'agent' | 'resources' | 'secrets'>): string | null {
  const parts = [agent.system, mountedNote(resources), secretsNote(secrets)];
  const said = parts.filter((part) => part !== null && part !== '');
  return said.length === 0 ? null : said.join('\n\n');
}
