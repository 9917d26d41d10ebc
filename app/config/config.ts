import type { SandboxLimits } from '@steadyhand/contracts';
import { parseS3Address, type S3Address } from '@steadyhand/store';
import type { EngineTlsFiles } from './engine-tls.ts';
import { missingForSharedStore } from './shared-store.ts';
import { type Role, ROLE, VARIABLES } from './variables.ts';
import type { Variable } from './variable.ts';

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

type Frozen<T> = { readonly [Field in keyof T]: T[Field] extends object ? Frozen<T[Field]> : T[Field] };

/** The configuration of the process, read once at its start. Paths are absolute. */
export type Config = Frozen<ReturnType<typeof readValues>>;

/**
 * Reads and checks the configuration.
 * @param args the arguments after the program's name on the command line
 * @throws ConfigError for the first value that is not allowed
 */
export function readConfig(env: Environment, args: readonly string[]): Config {
  return deepFreeze(readValues(env, args));
}

/**
 * Where an installation is to be moved to, by the options of a command line.
 * @throws ConfigError for the first value that is not allowed
 */
export function readMoveTarget(
  env: Environment,
  { to, blobs }: { readonly to?: string | undefined; readonly blobs?: string | undefined },
): { readonly store: string; readonly blobs: ReturnType<typeof readBlobs> } {
  const named = { ...VARIABLES.STORE, name: '--to' };
  return { store: required({ '--to': to }, named), blobs: readBlobs({ ...env, BLOBS: blobs }) };
}

/** The type of a configuration follows from what is read here. */
function readValues(env: Environment, args: readonly string[]) {
  // Only the bootstrap uses this variable, but a wrong value is reported here.
  required(env, VARIABLES.SYSTEM_PACKAGES);
  const address = optional(env, VARIABLES.TEMPORAL_ADDRESS);
  const kind = optional(env, VARIABLES.ENGINE) ?? (address === undefined ? 'embedded' : 'cluster');
  const asked = readRole(args);
  // It takes what a process of all roles takes, and ends.
  const role: Role = asked === 'migrate' ? 'all' : asked;
  if ((role === 'server' || role === 'worker') && kind !== 'cluster') {
    throw new ConfigError(
      ROLE.name,
      role,
      'all or inference, unless ENGINE=cluster: the other engines belong to one process',
    );
  }
  const values = {
    role,
    migratesOnly: asked === 'migrate',
    host: required(env, VARIABLES.HOST),
    port: required(env, VARIABLES.PORT),
    /** The port of a worker for probes and figures. */
    healthPort: required(env, VARIABLES.HEALTH_PORT),
    metricsAccess: required(env, VARIABLES.METRICS_ACCESS),
    drain: {
      /** How long everything is still served while `/readyz` says no already. */
      delayMs: required(env, VARIABLES.DRAIN_DELAY_MS),
      timeoutMs: required(env, VARIABLES.DRAIN_TIMEOUT_MS),
      /** How long a worker's activities may take to end by themselves. */
      graceMs: required(env, VARIABLES.WORKER_GRACE_MS),
    },
    /** How long a start waits for what it needs. */
    startWaitMs: required(env, VARIABLES.START_WAIT_MS),
    /** How soon a lost worker is noticed. */
    failover: {
      heartbeatTimeoutMs: required(env, VARIABLES.HEARTBEAT_TIMEOUT_MS),
      stickyTimeoutMs: required(env, VARIABLES.STICKY_TIMEOUT_MS),
      workflowTaskTimeoutMs: required(env, VARIABLES.WORKFLOW_TASK_TIMEOUT_MS),
    },
    /** Temporal's worker versioning. */
    deployment: {
      name: optional(env, VARIABLES.WORKER_DEPLOYMENT),
      /** Default: made of the product's version and the workflows. */
      buildId: optional(env, VARIABLES.WORKER_BUILD_ID),
    },
    /** What a worker polls. */
    workerQueues: required(env, VARIABLES.WORKER_QUEUES),
    dataDir: required(env, VARIABLES.DATA_DIR),
    /** The URL of the PostgreSQL database. Default: SQLite in the data folder. */
    store: optional(env, VARIABLES.STORE),
    /** Space that is released when the disk is full. */
    storageReserveBytes: required(env, VARIABLES.STORAGE_RESERVE_MIB) * 1024 * 1024,
    /** Where the bytes of blobs and files are; undefined for files in the data folder. */
    blobs: readBlobs(env),
    modelsDir: required(env, VARIABLES.MODELS_DIR),
    inference: {
      defaultModel: required(env, VARIABLES.DEFAULT_MODEL),
      /** Default: the number of cores that the process may use. */
      concurrency: optional(env, VARIABLES.INFERENCE_CONCURRENCY),
      instances: optional(env, VARIABLES.INFERENCE_INSTANCES),
      queue: required(env, VARIABLES.INFERENCE_QUEUE),
      timeoutMs: required(env, VARIABLES.INFERENCE_TIMEOUT_MS),
      runLimitMs: required(env, VARIABLES.INFERENCE_RUN_LIMIT_MS),
      loadLimitMs: required(env, VARIABLES.INFERENCE_LOAD_LIMIT_MS),
      /** `null` is no limit. */
      loadMemoryMib: required(env, VARIABLES.INFERENCE_LOAD_MEMORY_MIB) || null,
      spinning: required(env, VARIABLES.INFERENCE_SPINNING),
      batch: required(env, VARIABLES.INFERENCE_BATCH),
      pixelLimit: required(env, VARIABLES.PIXEL_LIMIT),
    },
    /** The process that serves the image models, where this one does not. */
    inferenceService: readInferenceService(env, role),
    uploadLimitBytes: required(env, VARIABLES.UPLOAD_LIMIT_BYTES),
    /** The number of requests of batches that are at the models at a time. */
    batchConcurrency: required(env, VARIABLES.BATCH_CONCURRENCY),
    docs: required(env, VARIABLES.DOCS),
    /** Addresses and CIDR ranges. */
    trustedProxies: optional(env, VARIABLES.TRUSTED_PROXIES) ?? [],
    apiKey: optional(env, VARIABLES.API_KEY),
    /** The file with further client keys. */
    apiKeysFile: optional(env, VARIABLES.API_KEYS),
    /** The file with the action policy for every session and sandbox. */
    policyFile: optional(env, VARIABLES.POLICY),
    /** The file with values that sessions may use by name. */
    secretsFile: optional(env, VARIABLES.SECRETS_FILE),
    /** The keys that secrets of sessions are sealed with. */
    secretsKey: {
      key: optional(env, VARIABLES.SECRETS_KEY),
      file: optional(env, VARIABLES.SECRETS_KEY_FILE),
      previous: optional(env, VARIABLES.SECRETS_KEY_PREVIOUS) ?? [],
    },
    /** The limits of a key whose own entry sets none: per minute, except for the number of streams. */
    rateLimits: {
      requests: optional(env, VARIABLES.RATE_LIMIT_REQUESTS),
      inputTokens: optional(env, VARIABLES.RATE_LIMIT_INPUT_TOKENS),
      outputTokens: optional(env, VARIABLES.RATE_LIMIT_OUTPUT_TOKENS),
      streams: optional(env, VARIABLES.RATE_LIMIT_STREAMS),
    },
    organizationId: optional(env, VARIABLES.ORGANIZATION_ID),
    engine: {
      kind,
      /** The port of the embedded engine. */
      port: required(env, VARIABLES.ENGINE_PORT),
      /** Who may call the embedded engine. */
      access: required(env, VARIABLES.ENGINE_ACCESS),
      /** The file with keys for some namespaces of the embedded engine. */
      keysFile: optional(env, VARIABLES.ENGINE_KEYS),
      /** Whether the embedded engine serves a Unix socket, too. */
      socket: required(env, VARIABLES.ENGINE_SOCKET),
      /** Where and by which files the embedded engine serves TLS. */
      tlsFiles: readEngineTlsFiles(env),
      /** The address of the cluster. Default: what Temporal's own environment configuration says. */
      address,
      namespace: required(env, VARIABLES.TEMPORAL_NAMESPACE),
    },
    /** The codec server for workflows' payloads. */
    codec: readCodec(env),
    /** The module with further state machines whose histories are explained. */
    machinesFile: optional(env, VARIABLES.MACHINES),
    /** The providers file. Default: `providers.yaml` in the working folder, if there is one. */
    providersFile: optional(env, VARIABLES.PROVIDERS),
    anthropic: {
      apiKey: optional(env, VARIABLES.ANTHROPIC_API_KEY),
      baseUrl: optional(env, VARIABLES.ANTHROPIC_BASE_URL),
    },
    sandbox: readSandbox(env),
    logLevel: required(env, VARIABLES.LOG_LEVEL),
    /** Where Temporal's SDK serves metrics of its own. */
    temporalMetrics: optional(env, VARIABLES.TEMPORAL_METRICS),
    /** Whether traces are sent. To whom and how, OpenTelemetry's packages read from the environment themselves. */
    tracing: readTracing(env),
  };
  const missing =
    values.store === undefined
      ? undefined
      : missingForSharedStore({
          serves: role !== 'worker',
          isOneOfMany: role === 'server' || role === 'worker',
          isolation: values.sandbox.isolation,
          ...values,
        });
  if (missing !== undefined) throw new ConfigError(missing.variable, missing.value ?? '', missing.allowed);
  return values;
}

function readTracing(env: Environment): boolean {
  const endpoint =
    optional(env, VARIABLES.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) ??
    optional(env, VARIABLES.OTEL_EXPORTER_OTLP_ENDPOINT);
  const isOff =
    required(env, VARIABLES.OTEL_SDK_DISABLED) === 'true' ||
    required(env, VARIABLES.OTEL_TRACES_EXPORTER) === 'none';
  return endpoint !== undefined && !isOff;
}

function readEngineTlsFiles(env: Environment): EngineTlsFiles | undefined {
  const cert = optional(env, VARIABLES.ENGINE_TLS_CERT);
  const key = optional(env, VARIABLES.ENGINE_TLS_KEY);
  const clientCa = optional(env, VARIABLES.ENGINE_TLS_CLIENT_CA);
  if (cert === undefined && key === undefined && clientCa === undefined) return undefined;
  if (cert === undefined)
    throw new ConfigError(
      'ENGINE_TLS_CERT',
      '',
      'a file, where ENGINE_TLS_KEY or ENGINE_TLS_CLIENT_CA is set',
    );
  if (key === undefined) throw new ConfigError('ENGINE_TLS_KEY', '', 'a file, where ENGINE_TLS_CERT is set');
  const host = required(env, VARIABLES.ENGINE_TLS_HOST);
  return { host, port: required(env, VARIABLES.ENGINE_TLS_PORT), cert, key, clientCa };
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

function readInferenceService(env: Environment, role: Role) {
  const url = optional(env, VARIABLES.INFERENCE_URL);
  if (url === undefined) return undefined;
  if (role === 'inference') {
    throw new ConfigError(
      'INFERENCE_URL',
      url,
      'no value with --role=inference, which serves the models itself',
    );
  }
  return {
    url,
    apiKey: optional(env, VARIABLES.INFERENCE_API_KEY) ?? optional(env, VARIABLES.API_KEY),
    /** Longer than the other process takes for a request at most. */
    timeoutMs: required(env, VARIABLES.INFERENCE_TIMEOUT_MS) + 10_000,
  };
}

function readBlobs(env: Environment) {
  const text = optional(env, VARIABLES.BLOBS);
  if (text === undefined) return undefined;
  const accessKeyId = optional(env, VARIABLES.AWS_ACCESS_KEY_ID);
  const secretAccessKey = optional(env, VARIABLES.AWS_SECRET_ACCESS_KEY);
  const address = s3Address(text);
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    const needed = `${VARIABLES.AWS_ACCESS_KEY_ID.name} and ${VARIABLES.AWS_SECRET_ACCESS_KEY.name}`;
    throw new ConfigError(VARIABLES.BLOBS.name, text, `an s3:// address needs ${needed}`);
  }
  const sessionToken = optional(env, VARIABLES.AWS_SESSION_TOKEN);
  return { address, credentials: { accessKeyId, secretAccessKey, sessionToken } };
}

function s3Address(text: string): S3Address {
  try {
    return parseS3Address(text);
  } catch (error) {
    // There may be a key where none should be.
    const shown = text.includes('@') ? '(hidden)' : text;
    throw new ConfigError(VARIABLES.BLOBS.name, shown, `it ${error instanceof Error ? error.message : ''}`);
  }
}

function readCodec(env: Environment) {
  const endpoint = optional(env, VARIABLES.CODEC_ENDPOINT);
  const token = optional(env, VARIABLES.CODEC_AUTHORIZATION);
  return endpoint === undefined
    ? undefined
    : { endpoint, authorization: token === undefined ? undefined : `Bearer ${token}` };
}

function readSandbox(env: Environment) {
  const isolation = required(env, VARIABLES.SANDBOX_ISOLATION);
  const token = optional(env, VARIABLES.SANDBOX_POOL_TOKEN);
  if (isolation === 'remote' && token === undefined) {
    throw new ConfigError(
      VARIABLES.SANDBOX_ISOLATION.name,
      isolation,
      'remote needs SANDBOX_POOL_TOKEN, which the members of the pool know too',
    );
  }
  /** The limits of sandboxes that are created without their own; null is no limit. */
  const limits: SandboxLimits = {
    memory_mib: required(env, VARIABLES.SANDBOX_MEMORY_MIB) || null,
    processes: required(env, VARIABLES.SANDBOX_PROCESSES),
    disk_mib: required(env, VARIABLES.SANDBOX_DISK_MIB) || null,
    files: required(env, VARIABLES.SANDBOX_FILES) || null,
    cpus: optional(env, VARIABLES.SANDBOX_CPUS) ?? null,
  };
  return {
    isolation,
    /** The internal hosts that sandboxes may reach. */
    allowPrivate: optional(env, VARIABLES.SANDBOX_EGRESS_ALLOW_PRIVATE) ?? [],
    /** Who resolves host names where an upstream proxy is used. */
    resolve: required(env, VARIABLES.SANDBOX_EGRESS_RESOLVE),
    limits,
    image: required(env, VARIABLES.SANDBOX_IMAGE),
    /** Without a token there is no pool. */
    pool: {
      token,
      members: optional(env, VARIABLES.SANDBOX_MEMBERS) ?? [],
      /** Milliseconds that a session waits for a place. */
      waitMs: 1000 * required(env, VARIABLES.SANDBOX_WAIT_SECONDS),
      /** Milliseconds of silence after which a machine's sandboxes are lost. */
      lostAfterMs: 1000 * required(env, VARIABLES.SANDBOX_LOST_SECONDS),
    },
  };
}

function readRole(args: readonly string[]): Role | 'migrate' {
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
