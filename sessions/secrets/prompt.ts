import type { SecretInfo } from './session-secrets.ts';

const OPENING = [
  'This session has secrets. You know their names and never see their values. To type a secret, to put it on the clipboard or',
  'to write it into a file with the editor, write {{secret:NAME}} in the text: the value is put there right before. In a bash',
  'command it is an environment variable, "$NAME", which only commands that name it have. Where a value would stand in a result',
  'you see [secret:NAME]. The secrets:',
].join(' ');

/** What the model has to know of a session's secrets; null where there are none. */
export function secretsNote(secrets: readonly SecretInfo[] = []): string | null {
  return secrets.length === 0 ? null : [OPENING, ...secrets.map(describe)].join('\n');
}

function describe({ name, allowed_tools: tools, window_title: titles }: SecretInfo): string {
  const where = titles === undefined ? '' : `, only into windows titled ${titles.join(' or ')}`;
  return `- ${name} (${tools.join(', ')}${where})`;
}
