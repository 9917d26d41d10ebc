import { mountedNote } from './resource.ts';
import type { SecretInfo } from './secrets/session-secrets.ts';
import type { SessionData } from './record/session-data.ts';

/** The system prompt of a session's model requests: the agent's own, then the mounted files and the secrets. */
export function systemOf({
  agent,
  resources,
  secrets,
}: Pick<SessionData, 'agent' | 'resources' | 'secrets'>): string | null {
  const parts = [agent.system, mountedNote(resources), secretsNote(secrets)];
  const given = parts.filter((part) => part !== null && part !== '');
  return given.length === 0 ? null : given.join('\n\n');
}

const SECRETS_OPENING = [
  'This session has secrets. You know their names and never see their values. To type a secret, to put it on the clipboard or',
  'to write it into a file with the editor, write {{secret:NAME}} in the text: the value is put there right before. In a bash',
  'command it is an environment variable, "$NAME", which only commands that name it have. Where a value would stand in a result',
  'you see [secret:NAME]. The secrets:',
].join(' ');

/** The part of the system prompt about secrets; null where there are none. */
function secretsNote(secrets: readonly SecretInfo[] = []): string | null {
  return secrets.length === 0 ? null : [SECRETS_OPENING, ...secrets.map(secretLine)].join('\n');
}

function secretLine({ name, allowed_tools: tools, window_title: titles }: SecretInfo): string {
  const where = titles === undefined ? '' : `, only into windows titled ${titles.join(' or ')}`;
  return `- ${name} (${tools.join(', ')}${where})`;
}
