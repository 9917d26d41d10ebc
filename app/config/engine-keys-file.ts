import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { EngineKey } from '@steadyhand/engine';
import { ConfigFileError, readYamlFile } from './yaml-file.ts';

const NAME = 'expected letters, digits and . _ @ -, at most 64';
const KEY = 'expected at least 16 printable ASCII characters without spaces';
const entry = z
  .strictObject({
    name: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/, NAME),
    key: z
      .string()
      .regex(/^[\x21-\x7e]{16,}$/, KEY)
      .optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'expected 64 hexadecimal digits')
      .optional(),
    namespaces: z.array(z.string().min(1)).min(1, 'expected the names of namespaces'),
  })
  .refine(({ key, sha256 }) => (key === undefined) !== (sha256 === undefined), {
    message: 'expected either key or sha256',
  });
const fileShape = z.strictObject({ keys: z.array(entry).min(1) });

/**
 * Reads the file of the embedded engine's keys, each with the namespaces that it opens.
 * @throws {ConfigFileError} in one line that repeats no key
 */
export function readEngineKeysFile(file: string): readonly EngineKey[] {
  const parsed = fileShape.safeParse(readYamlFile(file).content);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new ConfigFileError(file, issue?.path.join('.') ?? '', issue?.message ?? 'not a file of keys');
  }
  return parsed.data.keys.map(({ name, key, sha256, namespaces }) => ({
    name,
    sha256:
      sha256?.toLowerCase() ??
      createHash('sha256')
        .update(key ?? '')
        .digest('hex'),
    namespaces,
  }));
}
