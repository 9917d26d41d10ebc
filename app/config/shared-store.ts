/** What a process with a store that others share has to be told, because each process would make its own. */
interface SharedSettings {
  /** Whether this process serves clients. */
  readonly serves: boolean;
  readonly apiKey: string | undefined;
  readonly apiKeysFile: string | undefined;
  readonly secretsKey: { readonly key: string | undefined; readonly file: string | undefined };
  /** Whether other processes play the other roles, on other machines perhaps. */
  readonly isOneOfMany: boolean;
  /** Where bytes are; undefined for the data folder. */
  readonly blobs: unknown;
  readonly isolation: string;
}

interface Missing {
  readonly variable: string;
  /** What is there instead. */
  readonly value?: string;
  /** Completes "X= is not allowed: ". */
  readonly allowed: string;
}

/** The first setting that is missing; undefined where all are there. */
export function missingForSharedStore({
  serves,
  apiKey,
  apiKeysFile,
  secretsKey,
  isOneOfMany,
  blobs,
  isolation,
}: SharedSettings): Missing | undefined {
  const reason = 'where STORE is PostgreSQL, as every process would make its own';
  if (serves && apiKey === undefined && apiKeysFile === undefined) {
    const allowed = `a key for clients, or the file API_KEYS, ${reason} (openssl rand -hex 24 makes one)`;
    return { variable: 'API_KEY', allowed };
  }
  if (secretsKey.key === undefined && secretsKey.file === undefined) {
    const allowed = `32 bytes as 64 hexadecimal digits or as base64, or the file SECRETS_KEY_FILE, ${reason} (openssl rand -hex 32 makes one)`;
    return { variable: 'SECRETS_KEY', allowed };
  }
  const apart = 'where STORE is PostgreSQL and a process has one role';
  if (isOneOfMany && blobs === undefined) {
    const allowed = `s3://bucket/prefix, ${apart}: no other process sees its DATA_DIR`;
    return { variable: 'BLOBS', allowed };
  }
  if (isOneOfMany && isolation !== 'remote') {
    const allowed = `remote, ${apart}: no other process reaches sandboxes on its machine`;
    return { variable: 'SANDBOX_ISOLATION', value: isolation, allowed };
  }
  return undefined;
}
