import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createWholeFile, FileUnusableError, type Store } from '@steadyhand/store';
import { LOST, readSecretsKey } from './config/secrets-key.ts';

const KEY_BYTES = 32;

/** The key is not the one that the secrets in the store were sealed with. */
export class SecretsKeyError extends Error {
  override readonly name = 'SecretsKeyError';

  constructor(source: string) {
    super(
      `${source} is not the key that the secrets in the store were sealed with: set that one, or add it as SECRETS_KEY_PREVIOUS; ` +
        'where nobody has it, SECRETS_KEY_PREVIOUS=lost gives those secrets up',
    );
  }
}

/** The keys that sessions' secrets are sealed with. */
interface SecretsKeys {
  /** New secrets are sealed with this one. */
  readonly key: Uint8Array;
  /** What is in the store may have been sealed with one of these. */
  readonly previous: readonly Uint8Array[];
}

/** Keys by their hexadecimal digits. */
interface ConfiguredKeys {
  readonly key: string | undefined;
  /** The file that holds the key. */
  readonly file: string | undefined;
  readonly previous: readonly string[];
}

/**
 * The configured keys. Without one, a key is made at the first start and kept in `<dataDir>/secrets.key` with mode 0600, outside
 * the store, so that a copy of the store alone does not show the secrets. The store knows which key is in use, so that a wrong one
 * is noticed at the start and not in a turn.
 * @throws {SecretsKeyError} for a key that the store's secrets were not sealed with
 * @throws {FileUnusableError} for a file without a key
 */
export async function secretsKeys(
  { settings }: Pick<Store, 'settings'>,
  dataDir: string,
  configured: ConfiguredKeys,
): Promise<SecretsKeys> {
  const isLost = configured.previous.includes(LOST);
  const previous = isLost ? [] : configured.previous.map((each) => Buffer.from(each, 'hex'));
  const { key, source, isNew } = await chosen(dataDir, configured);
  const print = fingerprint(key);
  const known = await settings.getOrMake('secrets-key', () => print);
  const isAccepted = known === print || previous.some((each) => fingerprint(each) === known);
  // Whoever deletes the file gives the secrets up: a key was made in its place.
  if (!isAccepted && !isNew && !isLost) throw new SecretsKeyError(source);
  if (known !== print) await settings.replace('secrets-key', known, print);
  return { key, previous };
}

interface Chosen {
  readonly key: Buffer;
  /** How errors name where it comes from. */
  readonly source: string;
  /** Whether it was made just now. */
  readonly isNew: boolean;
}

async function chosen(dataDir: string, { key, file }: ConfiguredKeys): Promise<Chosen> {
  if (key !== undefined) return { key: Buffer.from(key, 'hex'), source: 'SECRETS_KEY', isNew: false };
  if (file !== undefined) {
    const content = await readFile(file).catch((error: unknown) => {
      throw new FileUnusableError(file, 'cannot be read', { cause: error });
    });
    const read = readSecretsKey(content);
    if (read === undefined)
      throw new FileUnusableError(file, 'holds no key: 32 bytes, or their hexadecimal digits or base64');
    return { key: Buffer.from(read, 'hex'), source: `SECRETS_KEY_FILE=${file}`, isNew: false };
  }
  const own = path.join(dataDir, 'secrets.key');
  const kept = await found(own);
  const isNew = kept === undefined && (await createWholeFile(own, randomBytes(KEY_BYTES)));
  const present = kept ?? (await readFile(own));
  if (present.length !== KEY_BYTES) {
    const remedy = 'put a backup in its place, or delete it, which loses the secrets of all sessions';
    throw new FileUnusableError(own, `is not a key of ${KEY_BYTES} bytes: ${remedy}`);
  }
  return { key: present, source: own, isNew };
}

async function found(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether a store's secrets were sealed with a key; any is right for a store that knows of none. */
export async function isKeyOf({ settings }: Pick<Store, 'settings'>, key: Uint8Array): Promise<boolean> {
  const print = fingerprint(key);
  return (await settings.getOrMake('secrets-key', () => print)) === print;
}

/** Tells two keys apart, and nothing else of them. */
function fingerprint(key: Uint8Array): string {
  return createHash('sha256').update('steadyhand secrets key\n').update(key).digest('hex');
}
