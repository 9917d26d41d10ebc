import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { CorruptError } from '@steadyhand/store';
import { InvalidRequestError } from '../api/validate.ts';
import type { GivenSecret } from './session-secrets.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The values of secrets, by name. */
export type SecretValues = Readonly<Record<string, string>>;

/** Encrypts the values of secrets for the store, and decrypts them. */
export interface Vault {
  /** The values of secrets. Throws InvalidRequestError for a name that the server has no secret under. */
  valuesOf(secrets: readonly GivenSecret[]): SecretValues;
  /** Encrypts values for one session. They cannot be opened for another one. */
  seal(session: string, values: SecretValues): Uint8Array;
  /**
   * Decrypts values. Throws CorruptError when they were sealed with another key, for another session, or were changed.
   */
  open(session: string, sealed: Uint8Array): SecretValues;
}

/**
 * @param key 32 bytes that are kept outside the store
 * @param server the server's secrets, which sessions may use by name
 * @param previous keys that what is in the store may have been sealed with before this one
 */
export function createVault(
  key: Uint8Array,
  server: SecretValues = {},
  previous: readonly Uint8Array[] = [],
): Vault {
  const opened = (session: string, bytes: Buffer): SecretValues | undefined => {
    for (const each of [key, ...previous]) {
      try {
        return openWith(each, session, bytes);
      } catch {
        // Only the key that a value was sealed with opens it.
      }
    }
    return undefined;
  };
  return {
    valuesOf: (secrets) =>
      Object.fromEntries(
        secrets.map((secret) => {
          if ('value' in secret) return [secret.name, secret.value];
          const value = Object.hasOwn(server, secret.from) ? server[secret.from] : undefined;
          if (value === undefined)
            throw new InvalidRequestError(
              `secrets.${secret.name}.from: this server has no secret named ${secret.from}`,
            );
          return [secret.name, value];
        }),
      ),
    seal: (session, values) => {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(session));
      const sealed = Buffer.concat([cipher.update(JSON.stringify(values), 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
    },
    open: (session, sealed) => {
      const values = opened(session, Buffer.from(sealed));
      if (values !== undefined) return values;
      throw new CorruptError(
        `the secrets of ${session} cannot be opened: they were sealed with another key or changed`,
      );
    },
  };
}

function openWith(key: Uint8Array, session: string, bytes: Buffer): SecretValues {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(session))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  const opened = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  return JSON.parse(opened.toString('utf8')) as SecretValues;
}
