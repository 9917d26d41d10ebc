/** As much of a message as this looks at; a session's messages have pictures by reference, a request's by value. */
interface Message {
  readonly content?: unknown;
}

interface Remembered<M, Value> {
  readonly of: string;
  /** Undefined where the message holds bytes: those are not to stay in memory for this. */
  readonly messages: readonly (M | undefined)[];
  readonly values: readonly Value[];
}

/**
 * Finds something out about each message of a conversation, once: a conversation is asked about again and again, and most of it
 * is the same objects in the same places as before. `find` must be pure, and a message that was given once never changes.
 * What is remembered goes with the conversation's messages.
 *
 * @param find is also given `of`, e.g. the model that it is found out for; the last one is remembered
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
