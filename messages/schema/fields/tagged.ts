import { z } from 'zod';
import { isRecord } from '../../api/is-record.ts';
import { accepting, anyOf } from './accepted-form.ts';
import { readWith, textElse } from './chosen.ts';

export const NOT_AN_OBJECT = 'Input should be a valid dictionary or object to extract fields from';

const MAX_NAME = 200;

/** Shortens a name that a client made up to a length that is still recognizable. */
export function clipped(name: string): string {
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME)}…` : name;
}

interface TaggedOptions {
  /** The tag of a value without one; by default the tag is required. */
  readonly fallback?: string;
  /** Whether the tag is part of an error's path, as in most unions of the API. */
  readonly inPath?: (tag: string) => boolean;
  /** A further sentence for the error about an unknown tag. */
  readonly hint?: (tag: string) => string | undefined;
}

/** The API's text for a tag that no member of the union has. */
function unknownTag(tag: string, known: readonly string[]): string {
  const expected = known
    .toSorted()
    .map((name) => `'${name}'`)
    .join(', ');
  return `Input tag '${clipped(tag)}' found using 'type' does not match any of the expected tags: ${expected}`;
}

/**
 * A union whose members are distinguished by `type`. Only the member that the tag names is tried, so an error is about
 * that member, and its path holds the tag: `messages.0.content.0.text.text: Field required`.
 *
 * @example tagged({ text: textBlock, image: imageBlock })
 */
export function tagged<T>(
  members: Readonly<Record<string, z.ZodType<T>>>,
  options: TaggedOptions = {},
): z.ZodType<T> {
  const known = Object.keys(members);
  const schema = z.transform((value, context): T => {
    const refuse = (message: string, path: PropertyKey[] = []): never => {
      context.addIssue({ code: 'custom', message, path, input: value });
      return z.NEVER;
    };
    if (!isRecord(value)) return refuse(NOT_AN_OBJECT);
    const tag = value['type'] ?? options.fallback;
    if (tag === undefined) return refuse('Field required', ['type']);
    if (typeof tag !== 'string') return refuse('Input should be a valid string', ['type']);
    const member = Object.hasOwn(members, tag) ? members[tag] : undefined;
    if (member === undefined) {
      const hint = options.hint?.(tag);
      return refuse(unknownTag(tag, known) + (hint === undefined ? '' : `. ${hint}`));
    }
    return readWith(member, value, context, (options.inPath?.(tag) ?? true) ? [tag] : []);
  });
  return accepting(schema, anyOf(Object.values(members)));
}

/**
 * Accepts a list, or a text as the API's shorthand for one text block. The error for any other value expects a list.
 */
export function textOr<T>(list: z.ZodType<T>): z.ZodType<string | T> {
  return textElse<string | T>(z.string(), list);
}
