/** The fields of a message that matter here. A session's messages hold pictures by reference, a request's by value. */
interface Message {
  readonly content?: unknown;
}

interface Remembered<M, Value> {
  readonly of: string;
  /** Undefined where the message holds bytes, so that they do not stay in memory. */
  readonly messages: readonly (M | undefined)[];
  readonly values: readonly Value[];
}

/**
 * Caches a value for each message of a conversation, since successive requests mostly hold the same message objects in
 * the same places. `find` must be pure, and a message must not change once it was given. The cache is freed together
 * with the conversation's messages.
 *
 * @param find also receives `of`, such as the name of a model; values are kept for the latest `of` alone
 */
export function perMessage<M extends Message, Value>(
  find: (message: M, of: string) => Value,
): (messages: readonly M[], of?: string) => readonly Value[] {
  const conversations = new WeakMap<M, Remembered<M, Value>>();
  return (messages, of = '') => {
    const key = messages.find((message) => !holdsBytes(message));
    const known = key === undefined ? undefined : conversations.get(key);
    const before = known?.of === of ? known : undefined;
    const kept: (M | undefined)[] = [];
    const values: Value[] = [];
    for (const [index, message] of messages.entries()) {
      if (before?.messages[index] === message) {
        kept.push(message);
        values.push(before.values[index] as Value);
      } else {
        kept.push(holdsBytes(message) ? undefined : message);
        values.push(find(message, of));
      }
    }
    if (key !== undefined) conversations.set(key, { of, messages: kept, values });
    return values;
  };
}

function holdsBytes({ content }: Message): boolean {
  return Array.isArray(content) && (content as Part[]).some(hasBytes);
}

interface Part {
  readonly source?: { readonly type?: unknown };
  readonly content?: unknown;
}

function hasBytes({ source, content }: Part): boolean {
  return source?.type === 'base64' || (Array.isArray(content) && (content as Part[]).some(hasBytes));
}
