import type { SandboxLimits } from '@steadyhand/contracts';
import type { EngineAccess } from '@steadyhand/engine';
import {
  type EngineChoice,
  type IsolationChoice,
  type LogLevel,
  ROLE,
  type Role,
  type Variable,
  VARIABLES,
} from './variables.ts';

/** The configuration of the process, read once at its start. Paths are absolute. */
export interface Config {
  readonly role: Role;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Space that is released when the disk is full. */
  readonly storageReserveBytes: number;
  readonly modelsDir: string;
  readonly inference: {
    readonly defaultModel: string;
    /** Default: the number of cores that the process may use. */
    readonly concurrency: number | undefined;
    readonly instances: number | undefined;
    readonly queue: number;
    readonly timeoutMs: number;
    readonly runLimitMs: number;
    readonly loadLimitMs: number;
    /** `null` is no limit. */
    readonly loadMemoryMib: number | null;
    readonly spinning: boolean;
    readonly batch: number;
    readonly pixelLimit: number;
  };
  readonly uploadLimitBytes: number;
  /** The number of requests of batches that are at the models at a time. */
  readonly batchConcurrency: number;
  readonly docs: boolean;
  /** Addresses and CIDR ranges. */
  readonly trustedProxies: readonly string[];
  readonly apiKey: string | undefined;
  /** The file with further client keys. */
  readonly apiKeysFile: string | undefined;
  /** The file with the action policy for every session and sandbox. */
  readonly policyFile: string | undefined;
  /** The file with values that sessions may use by name. */
  readonly secretsFile: string | undefined;
  /** The limits of a key whose own entry sets none: per minute, except for the number of streams. */
  readonly rateLimits: {
    readonly requests: number | undefined;
    readonly inputTokens: number | undefined;
    readonly outputTokens: number | undefined;
    readonly streams: number | undefined;
  };
  readonly organizationId: string | undefined;
  readonly engine: {
    readonly kind: EngineChoice;
    /** The port of the embedded engine. */
    readonly port: number;
    /** Who may call the embedded engine. */
    readonly access: EngineAccess;
    /** The address of the cluster. Default: what Temporal's own environment configuration says. */
    readonly address: string | undefined;
    readonly namespace: string;
  };
  /** The providers file. Default: `providers.yaml` in the working folder, if there is one. */
  readonly providersFile: string | undefined;
  readonly anthropic: { readonly apiKey: string | undefined; readonly baseUrl: string | undefined };
  readonly sandbox: {
    readonly isolation: IsolationChoice;
    /** The internal hosts that sandboxes may reach. */
    readonly allowPrivate: readonly string[];
    /** Who resolves host names where an upstream proxy is used. */
    readonly resolve: 'local' | 'upstream';
    /** The limits of sandboxes that are created without their own; null is no limit. */
    readonly limits: SandboxLimits;
    readonly image: string;
    readonly pool: {
      /** The token of the sandbox pool. Default: there is no pool. */
      readonly token: string | undefined;
      readonly members: readonly { readonly host: string; readonly port: number }[];
    };
  };
  readonly logLevel: LogLevel;
}

/** A value that is not allowed. The message is one line that names the variable, the value and what is allowed. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly variable: string;
  readonly allowed: string;

  constructor(variable: string, value: string, allowed: string) {
    super(`${variable}=${value} is not allowed: ${allowed}`);
    this.variable = variable;
    this.allowed = allowed;
  }
}

/** An unknown command-line argument. */
export class UnknownOptionError extends Error {
  override readonly name = 'UnknownOptionError';

  constructor(option: string) {
    super(`${option} is no option: there is ${ROLE.name}=<role> alone, with the roles ${ROLE.allowed}`);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the configuration.
 * @param args the arguments after the program's name on the command line
 * @throws ConfigError for the first value that is not allowed
 */
export function readConfig(env: Environment, args: readonly string[]): Config {
  // Only the bootstrap uses this variable, but a wrong value is reported here.
  required(env, VARIABLES.SYSTEM_PACKAGES);
  const address = optional(env, VARIABLES.TEMPORAL_ADDRESS);
  const kind = optional(env, VARIABLES.ENGINE) ?? (address === undefined ? 'embedded' : 'cluster');
  const role = readRole(args);
  if (role !== 'all' && kind !== 'cluster') {
    throw new ConfigError(
      ROLE.name,
      role,
      'all, unless ENGINE=cluster: the other engines belong to one process',
    );
  }
  return deepFreeze({
    role,
    host: required(env, VARIABLES.HOST),
    port: required(env, VARIABLES.PORT),
    dataDir: required(env, VARIABLES.DATA_DIR),
    storageReserveBytes: required(env, VARIABLES.STORAGE_RESERVE_MIB) * 1024 * 1024,
    modelsDir: required(env, VARIABLES.MODELS_DIR),
    inference: {
      defaultModel: required(env, VARIABLES.DEFAULT_MODEL),
      concurrency: optional(env, VARIABLES.INFERENCE_CONCURRENCY),
      instances: optional(env, VARIABLES.INFERENCE_INSTANCES),
      queue: required(env, VARIABLES.INFERENCE_QUEUE),
      timeoutMs: required(env, VARIABLES.INFERENCE_TIMEOUT_MS),
      runLimitMs: required(env, VARIABLES.INFERENCE_RUN_LIMIT_MS),
      loadLimitMs: required(env, VARIABLES.INFERENCE_LOAD_LIMIT_MS),
      loadMemoryMib: required(env, VARIABLES.INFERENCE_LOAD_MEMORY_MIB) || null,
      spinning: required(env, VARIABLES.INFERENCE_SPINNING),
      batch: required(env, VARIABLES.INFERENCE_BATCH),
      pixelLimit: required(env, VARIABLES.PIXEL_LIMIT),
    },
    uploadLimitBytes: required(env, VARIABLES.UPLOAD_LIMIT_BYTES),
    batchConcurrency: required(env, VARIABLES.BATCH_CONCURRENCY),
    docs: required(env, VARIABLES.DOCS),
    trustedProxies: optional(env, VARIABLES.TRUSTED_PROXIES) ?? [],
    apiKey: optional(env, VARIABLES.API_KEY),
    apiKeysFile: optional(env, VARIABLES.API_KEYS),
    policyFile: optional(env, VARIABLES.POLICY),
    secretsFile: optional(env, VARIABLES.SECRETS_FILE),
    rateLimits: {
      requests: optional(env, VARIABLES.RATE_LIMIT_REQUESTS),
      inputTokens: optional(env, VARIABLES.RATE_LIMIT_INPUT_TOKENS),
      outputTokens: optional(env, VARIABLES.RATE_LIMIT_OUTPUT_TOKENS),
      streams: optional(env, VARIABLES.RATE_LIMIT_STREAMS),
    },
    organizationId: optional(env, VARIABLES.ORGANIZATION_ID),
    engine: {
      kind,
      port: required(env, VARIABLES.ENGINE_PORT),
      access: required(env, VARIABLES.ENGINE_ACCESS),
      address,
      namespace: required(env, VARIABLES.TEMPORAL_NAMESPACE),
    },
    providersFile: optional(env, VARIABLES.PROVIDERS),
    anthropic: {
      apiKey: optional(env, VARIABLES.ANTHROPIC_API_KEY),
      baseUrl: optional(env, VARIABLES.ANTHROPIC_BASE_URL),
    },
    sandbox: readSandbox(env),
    logLevel: required(env, VARIABLES.LOG_LEVEL),
  });
}

/** Unset and empty mean the same, because compose files and CI systems pass empty values for variables that are not set. */
function optional<T>(env: Environment, variable: Variable<T>): T | undefined {
  const text = env[variable.name]?.trim() || variable.fallback;
  if (text === undefined) return undefined;
  const value = variable.parse(text);
  if (value === undefined) {
    throw new ConfigError(variable.name, variable.secret === true ? '(hidden)' : text, variable.allowed);
  }
  return value;
}

function required<T>(env: Environment, variable: Variable<T>): T {
  const value = optional(env, variable);
  if (value === undefined) throw new ConfigError(variable.name, '', variable.allowed);
  return value;
}

function readSandbox(env: Environment): Config['sandbox'] {
  const isolation = required(env, VARIABLES.SANDBOX_ISOLATION);
  const token = optional(env, VARIABLES.SANDBOX_POOL_TOKEN);
  if (isolation === 'remote' && token === undefined) {
    throw new ConfigError(
      VARIABLES.SANDBOX_ISOLATION.name,
      isolation,
      'remote needs SANDBOX_POOL_TOKEN, which the members of the pool know too',
    );
  }
  const members = optional(env, VARIABLES.SANDBOX_MEMBERS) ?? [];
  return {
    isolation,
    allowPrivate: optional(env, VARIABLES.SANDBOX_EGRESS_ALLOW_PRIVATE) ?? [],
    resolve: required(env, VARIABLES.SANDBOX_EGRESS_RESOLVE),
    limits: {
      memory_mib: required(env, VARIABLES.SANDBOX_MEMORY_MIB) || null,
      processes: required(env, VARIABLES.SANDBOX_PROCESSES),
      disk_mib: required(env, VARIABLES.SANDBOX_DISK_MIB) || null,
      files: required(env, VARIABLES.SANDBOX_FILES) || null,
      cpus: optional(env, VARIABLES.SANDBOX_CPUS) ?? null,
    },
    image: required(env, VARIABLES.SANDBOX_IMAGE),
    pool: { token, members },
  };
}

function readRole(args: readonly string[]): Role {
  let text: string | undefined;
  for (const arg of args) {
    const match = /^--role=(.*)$/.exec(arg);
    if (match === null) throw new UnknownOptionError(arg);
    text = match[1];
  }
  return required({ [ROLE.name]: text }, ROLE);
}

function deepFreeze<T extends object>(value: T): T {
  for (const field of Object.values(value)) {
    if (typeof field === 'object' && field !== null) deepFreeze(field as object);
  }
  return Object.freeze(value);
}
