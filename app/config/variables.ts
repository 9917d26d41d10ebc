import path from 'node:path';

/** Reads one value. `parse` answers `undefined` for a text that is not allowed. */
export interface Variable<T> {
  readonly name: string;
  /** What a value may be, to complete "… is not allowed: ". */
  readonly allowed: string;
  /** What the variable decides, for docs/configuration.md. */
  readonly meaning: string;
  /** The default in words, where it is not simply the text of `fallback`. */
  readonly otherwise?: string;
  /** The text read when the variable is unset or empty; without it the value is then `undefined`. */
  readonly fallback?: string;
  /** Its value never appears in a message. */
  readonly secret?: boolean;
  parse(text: string): T | undefined;
}

type VariableText = Omit<Variable<unknown>, 'parse' | 'allowed'>;

function oneOf<const T extends string>(values: readonly T[], text: VariableText): Variable<T> {
  return {
    ...text,
    allowed: values.join(', '),
    parse: (value) => values.find((candidate) => candidate === value),
  };
}

function port(text: VariableText): Variable<number> {
  return {
    ...text,
    allowed: 'a whole number from 0 to 65535',
    parse: (value) => (/^\d{1,5}$/.test(value) && Number(value) <= 65_535 ? Number(value) : undefined),
  };
}

function folder(text: VariableText): Variable<string> {
  return {
    ...text,
    allowed: 'the path of a folder, absolute or from the working folder',
    parse: (value) => (value.includes('\0') ? undefined : path.resolve(value)),
  };
}

function matching(pattern: RegExp, allowed: string, text: VariableText): Variable<string> {
  return { ...text, allowed, parse: (value) => (pattern.test(value) ? value : undefined) };
}

function httpUrl(text: VariableText): Variable<string> {
  return {
    ...text,
    allowed: 'an http or https URL',
    parse: (value) => {
      if (!URL.canParse(value) || !/^https?:$/.test(new URL(value).protocol)) return undefined;
      return value.replace(/\/+$/, '');
    },
  };
}

function secret(text: VariableText): Variable<string> {
  return matching(/^[\x21-\x7e]{8,}$/, 'at least 8 printable ASCII characters without spaces', {
    ...text,
    secret: true,
  });
}

/** Every environment variable that the product reads, in the order of the documentation. */
export const VARIABLES = {
  PORT: port({ name: 'PORT', meaning: 'The HTTP port; 0 takes a free one.', fallback: '8080' }),
  HOST: matching(/^(?:[A-Za-z0-9.-]+|[0-9A-Fa-f:.]+)$/, 'a host name or an IP address', {
    name: 'HOST',
    meaning: 'The address that the HTTP server listens on. Anything but loopback needs an API key.',
    fallback: '127.0.0.1',
  }),
  DATA_DIR: folder({
    name: 'DATA_DIR',
    meaning: 'Everything durable: the engine, the store, the sandboxes, `server.pid`.',
    fallback: './data',
  }),
  MODELS_DIR: folder({
    name: 'MODELS_DIR',
    meaning: 'ONNX model files and their sidecars.',
    fallback: './models',
  }),
  API_KEY: secret({
    name: 'API_KEY',
    meaning: 'What clients must send, as `x-api-key` or as `Authorization: Bearer`.',
    otherwise:
      'on loopback no key is asked for (requests of foreign pages are refused); elsewhere a key is made at the first ' +
      'start, kept in `DATA_DIR/api-key` and printed once',
  }),
  ENGINE: oneOf(['embedded', 'dev-server', 'cluster'], {
    name: 'ENGINE',
    meaning:
      'Where Temporal comes from: this process, the official `temporal` CLI found on PATH, or a service elsewhere.',
    otherwise: '`cluster` when `TEMPORAL_ADDRESS` is set, else `embedded`',
  }),
  ENGINE_PORT: port({
    name: 'ENGINE_PORT',
    meaning: "The embedded engine's gRPC port on loopback; the next free one when it is taken, 0 for any.",
    fallback: '7233',
  }),
  TEMPORAL_ADDRESS: matching(/^[A-Za-z0-9.\-[\]:]+:\d{1,5}$/, 'host:port', {
    name: 'TEMPORAL_ADDRESS',
    meaning: "The Temporal service. TLS and API keys come from Temporal's own environment configuration.",
    otherwise: 'what that configuration says',
  }),
  TEMPORAL_NAMESPACE: matching(/^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'a Temporal namespace', {
    name: 'TEMPORAL_NAMESPACE',
    meaning: 'The namespace that workflows run in.',
    fallback: 'default',
  }),
  ANTHROPIC_API_KEY: secret({
    name: 'ANTHROPIC_API_KEY',
    meaning: 'The key for the `anthropic` provider.',
    otherwise: 'that provider is off',
  }),
  ANTHROPIC_BASE_URL: httpUrl({
    name: 'ANTHROPIC_BASE_URL',
    meaning: 'The upstream of the `anthropic` provider.',
    otherwise: 'the official API',
  }),
  SANDBOX_ISOLATION: oneOf(['auto', 'bubblewrap', 'none'], {
    name: 'SANDBOX_ISOLATION',
    meaning:
      "What stands between an agent's computer and this one. `auto` takes bubblewrap where it works and never `none`, " +
      'which must be asked for by name.',
    fallback: 'auto',
  }),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    name: 'LOG_LEVEL',
    meaning: 'The least severe log line to write (JSON on standard error).',
    fallback: 'info',
  }),
  SYSTEM_PACKAGES: oneOf(['install', 'skip'], {
    name: 'SYSTEM_PACKAGES',
    meaning: 'Whether `npm start` may install missing Debian packages (as root or with a passwordless sudo).',
    fallback: 'install',
  }),
} as const;

/** The one command-line option: `--role=all`. */
export const ROLE = oneOf(['all', 'server', 'worker'], {
  name: '--role',
  meaning:
    'Which part this process plays: both, HTTP alone, or the Temporal worker alone. A part alone needs `ENGINE=cluster`.',
  fallback: 'all',
});

export type Role = NonNullable<ReturnType<typeof ROLE.parse>>;
export type LogLevel = NonNullable<ReturnType<typeof VARIABLES.LOG_LEVEL.parse>>;
export type IsolationChoice = NonNullable<ReturnType<typeof VARIABLES.SANDBOX_ISOLATION.parse>>;
export type EngineChoice = NonNullable<ReturnType<typeof VARIABLES.ENGINE.parse>>;
