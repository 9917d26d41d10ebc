import { z } from 'zod';
import {
  type ClientKey,
  clientKey,
  DEFAULT_KEY_NAME,
  type KeyLimits,
  WORKFLOW_ACCESS,
} from '@steadyhand/server';
import { ConfigFileError, readYamlFile } from './yaml-file.ts';

export interface ApiKeysFile {
  readonly keys: readonly ClientKey[];
  /** The keys that the file or the environment holds as plain text, to be kept out of logs and answers. */
  readonly secrets: readonly string[];
  readonly warning: string | undefined;
}

const limit = z.int({ error: 'expected a whole number, or null for no limit' }).min(1).nullable().optional();
const limits = z.strictObject({ requests: limit, input_tokens: limit, output_tokens: limit, streams: limit });
const entry = z
  .strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._@-]{0,63}$/, 'expected letters, digits and . _ @ -, at most 64'),
    key: z.string().optional(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'expected 64 hexadecimal digits')
      .optional(),
    limits: limits.optional(),
    workflows: z.enum(WORKFLOW_ACCESS).optional(),
  })
  .refine(({ key, sha256 }) => (key === undefined) !== (sha256 === undefined), {
    message: 'expected either key or sha256',
  });
const fileShape = z.strictObject({ keys: z.array(entry).min(1) });
const FIELDS = {
  '': 'keys',
  keys: 'name, key, sha256, limits, workflows',
  limits: 'requests, input_tokens, output_tokens, streams',
};

const KEY = /^[\x21-\x7e]{8,}$/;

/**
 * Reads the file of client keys.
 * @param defaults the limits that an entry does not set; null in the file removes one
 * @throws {ConfigFileError} in one line that repeats no key
 */
export function readApiKeysFile(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  defaults: KeyLimits,
): ApiKeysFile {
  const { content, isOpen } = readYamlFile(file);
  const parsed = fileShape.safeParse(content, { reportInput: true });
  if (!parsed.success) throw wrong(file, parsed.error.issues);
  const secrets: string[] = [];
  let isPlain = false;
  const keys = parsed.data.keys.map(
    ({ name, key, sha256, limits: own = {}, workflows }, index): ClientKey => {
      const effective = limitsOf(own, defaults);
      const given = workflows === undefined ? {} : { workflows };
      if (sha256 !== undefined) return { name, sha256: sha256.toLowerCase(), limits: effective, ...given };
      const reference = /^\$\{([A-Za-z_][A-Za-z0-9_]*)\}$/.exec(key ?? '')?.[1];
      const text = reference === undefined ? (key ?? '') : (env[reference]?.trim() ?? '');
      const place = `keys.${index}.key`;
      if (reference !== undefined && text === '')
        throw new ConfigFileError(
          file,
          place,
          `the environment variable ${reference} is not set (key ${name})`,
        );
      if (!KEY.test(text)) {
        throw new ConfigFileError(
          file,
          place,
          'expected at least 8 printable ASCII characters without spaces',
        );
      }
      isPlain ||= reference === undefined;
      secrets.push(text);
      return { ...clientKey(text, name, effective), ...given };
    },
  );
  refuseDuplicates(file, keys);
  const warning =
    isOpen && isPlain
      ? `${file} holds keys and can be read by others on this machine: chmod 600 it, or write sha256 in place of key`
      : undefined;
  return { keys, secrets, warning };
}

function refuseDuplicates(file: string, keys: readonly ClientKey[]): void {
  for (const [index, { name, sha256 }] of keys.entries()) {
    const earlier = keys.slice(0, index);
    const refuse = (field: string, text: string): never => {
      throw new ConfigFileError(file, `keys.${index}.${field}`, text);
    };
    if (name === DEFAULT_KEY_NAME) refuse('name', `${name} is the name of API_KEY`);
    if (earlier.some((key) => key.name === name)) refuse('name', `${name} is taken by an earlier entry`);
    if (earlier.some((key) => key.sha256 === sha256)) refuse('key', 'the same key as in an earlier entry');
  }
}

function limitsOf(own: z.infer<typeof limits>, defaults: KeyLimits): KeyLimits {
  const chosen = {
    requests: own.requests === undefined ? defaults.requests : own.requests,
    inputTokens: own.input_tokens === undefined ? defaults.inputTokens : own.input_tokens,
    outputTokens: own.output_tokens === undefined ? defaults.outputTokens : own.output_tokens,
    streams: own.streams === undefined ? defaults.streams : own.streams,
  };
  return Object.fromEntries(Object.entries(chosen).filter(([, value]) => value != null)) as KeyLimits;
}

const FIELD_NAME = /^[a-z_]{1,24}$/;

function wrong(file: string, issues: readonly z.core.$ZodIssue[]): ConfigFileError {
  const [issue] = issues;
  if (issue === undefined) throw new Error('an invalid file without an issue');
  if (issue.code === 'unrecognized_keys') {
    const place = issue.path.includes('limits') ? 'limits' : issue.path.length > 0 ? 'keys' : '';
    const [name = ''] = issue.keys;
    // The name may be a key that was written in the wrong place, and must not be shown then.
    const path = [...issue.path, FIELD_NAME.test(name) ? name : '(a field)'].map(String).join('.');
    return new ConfigFileError(file, path, `no such field; expected ${FIELDS[place]}`);
  }
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  const text = isMissing ? 'this field is required' : issue.message.replace(/^Invalid input: /, '');
  return new ConfigFileError(file, issue.path.map(String).join('.'), text);
}
