import { z } from 'zod';
import { accepting, anyOf, tagged } from '@steadyhand/messages';
import { parse } from './validate.ts';

/** A union that `type` discriminates. The type is not in the paths of errors: `tools.1.description: ...`. */
export function oneOf<T>(members: Readonly<Record<string, z.ZodType<T>>>): z.ZodType<T> {
  return tagged(members, { inPath: () => false });
}

const METADATA_KEYS = 16;

/** Up to 16 pairs, keys up to 64 characters, values up to 512. */
export const metadata = z
  .record(z.string().min(1).max(64), z.string().max(512))
  .refine((pairs) => Object.keys(pairs).length <= METADATA_KEYS, {
    message: `Metadata can have at most ${METADATA_KEYS} keys`,
  });

/** Sets keys to strings and removes those set to null. */
export const metadataPatch = z.record(z.string().min(1).max(64), z.string().max(512).nullable());

/** @throws {InvalidRequestError} when the result has too many keys */
export function patchedMetadata(
  current: Readonly<Record<string, string>>,
  patch: Readonly<Record<string, string | null>> | null | undefined,
): Record<string, string> {
  const pairs = Object.entries({ ...current, ...patch }).filter(([, value]) => value !== null);
  return parse(z.object({ metadata }), { metadata: Object.fromEntries(pairs) }).metadata;
}

/**
 * A form that a string may abbreviate.
 * @param expand makes the full form of a string
 * @param keepsPath whether errors in a string have the paths of the full form
 */
export function abbreviated<T>(
  full: z.ZodType<T>,
  expand: (short: string) => unknown,
  keepsPath = false,
): z.ZodType<T> {
  return z.unknown().transform((value, context): T => {
    const isShort = typeof value === 'string';
    const parsed = full.safeParse(isShort ? expand(value) : value, { reportInput: true });
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      const path = isShort && !keepsPath ? [] : issue.path;
      context.addIssue({ ...issue, path } as Parameters<typeof context.addIssue>[0]);
    }
    return z.NEVER;
  });
}

/** A member of a union that is not supported and is refused with a reason. */
export function refusedKind(reason: string): z.ZodType<never> {
  return z.unknown().refine(() => false, { message: reason }) as unknown as z.ZodType<never>;
}

/** A field that is not supported: it is accepted when it is empty, and refused with a reason otherwise. */
export function unsupported(reason: string): z.ZodType<unknown> {
  const nothing = z
    .unknown()
    .refine((value) => value == null || (Array.isArray(value) && value.length === 0), { message: reason });
  return accepting(nothing, anyOf([z.null(), z.array(z.unknown()).max(0)]).describe(reason));
}
