import type { ActionSecret } from '@steadyhand/contracts';
import type { ModelReply } from '@steadyhand/messages';
import { createRedactor, type Redactor } from '@steadyhand/sandbox/client';
import type { SessionData } from '@steadyhand/sessions';
import { CorruptError } from '@steadyhand/store';
import type { ActivityDeps } from './deps.ts';

type Content = ModelReply['content'];

/** A session's secrets with their values, for an action or for redacting texts; callers keep none longer than that. */
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
 * A reply without the values of secrets, which the model may have read on the screen: `[secret:NAME]` replaces a value in the
 * reply's texts, the reference `{{secret:NAME}}` replaces it in the inputs of tool uses.
 */
export function withoutValues(content: Content, secrets: readonly ActionSecret[]): Content {
  if (secrets.length === 0) return content;
  const redactor = createRedactor(secrets);
  return content.map((block) => {
    if (block.type === 'text') return { ...block, text: redactor.redactRead(block.text) };
    return block.type === 'tool_use'
      ? { ...block, input: withReferences(block.input, redactor, secrets) }
      : block;
  });
}

function withReferences(input: unknown, redactor: Redactor, secrets: readonly ActionSecret[]): unknown {
  if (typeof input === 'string') {
    // Only whole values are replaced: a part of one may be a word of its own.
    if (!secrets.some(({ value }) => input.includes(value))) return input;
    return redactor.redact(input).replaceAll(/\[secret:(\w+)\]/g, '{{secret:$1}}');
  }
  if (Array.isArray(input)) return input.map((item) => withReferences(item, redactor, secrets));
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, withReferences(value, redactor, secrets)]),
  );
}
