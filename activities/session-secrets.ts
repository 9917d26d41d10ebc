import type { ActionSecret } from '@steadyhand/contracts';
import type { ModelReply } from '@steadyhand/messages';
import { createRedactor, type Redactor } from '@steadyhand/sandbox/client';
import type { SessionData } from '@steadyhand/sessions';
import { CorruptError } from '@steadyhand/store';
import type { ActivityDeps } from './deps.ts';

type Content = ModelReply['content'];

/** A session's secrets with their values, for an action or for taking them out of texts; none is kept longer than that. */
export async function secretsOf(
  { store, vault }: Pick<ActivityDeps, 'store' | 'vault'>,
  session: string,
  { secrets = [] }: Pick<SessionData, 'secrets'>,
): Promise<readonly ActionSecret[]> {
  if (secrets.length === 0) return [];
  const sealed = await store.sessions.sealed(session);
  if (vault === undefined || sealed === undefined)
    throw new CorruptError(`the secrets of ${session} are not here: they cannot be used`);
  const values = vault.open(session, sealed);
  return secrets.map(({ name, allowed_tools: tools }) => ({ name, value: values[name] ?? '', tools }));
}

/**
 * A reply without the values of secrets, should the model have read one off the screen: in its words `[secret:NAME]` stands in
 * their place, in what it asks tools to do the reference.
 */
export function withoutValues(content: Content, secrets: readonly ActionSecret[]): Content {
  if (secrets.length === 0) return content;
  const redactor = createRedactor(secrets);
  return content.map((block) => {
    if (block.type === 'text') return { ...block, text: redactor.redactRead(block.text) };
    return block.type === 'tool_use' ? { ...block, input: referring(block.input, redactor, secrets) } : block;
  });
}

function referring(input: unknown, redactor: Redactor, secrets: readonly ActionSecret[]): unknown {
  if (typeof input === 'string') {
    // Whole values alone: half of one may be a word of its own.
    if (!secrets.some(({ value }) => input.includes(value))) return input;
    return redactor.redact(input).replaceAll(/\[secret:(\w+)\]/g, '{{secret:$1}}');
  }
  if (Array.isArray(input)) return input.map((item) => referring(item, redactor, secrets));
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, referring(value, redactor, secrets)]),
  );
}
