/** What a process with a store that others share has to be told, because each process would make its own. */
interface SharedSettings {
  /** Whether this process serves clients. */
  readonly serves: boolean;
  readonly apiKey: string | undefined;
  readonly apiKeysFile: string | undefined;
  readonly secretsKey: { readonly key: string | undefined; readonly file: string | undefined };
}

interface Missing {
  readonly variable: string;
  /** Completes "X= is not allowed: ". */
  readonly allowed: string;
}

/** The first setting that is missing; undefined where all are there. */
export function missingForSharedStore({
  serves,
  apiKey,
  apiKeysFile,
  secretsKey,
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
  return undefined;
}
