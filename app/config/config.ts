import {
  type EngineChoice,
  type IsolationChoice,
  type LogLevel,
  ROLE,
  type Role,
  type Variable,
  VARIABLES,
} from './variables.ts';

/** What the process was told, read once at its start. Paths are absolute. */
export interface Config {
  readonly role: Role;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  readonly modelsDir: string;
  readonly apiKey: string | undefined;
  readonly engine: {
    readonly kind: EngineChoice;
    /** Of the embedded engine. */
    readonly port: number;
    /** Of the cluster; `undefined` leaves it to Temporal's own environment configuration. */
    readonly address: string | undefined;
    readonly namespace: string;
  };
  readonly anthropic: { readonly apiKey: string | undefined; readonly baseUrl: string | undefined };
  readonly sandbox: { readonly isolation: IsolationChoice };
  readonly logLevel: LogLevel;
}

/** A value that the product cannot start with; the message is one line that names the variable, value and choice. */
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

/** An argument that the product does not know. */
export class UnknownOption extends Error {
  override readonly name = 'UnknownOption';

  constructor(option: string) {
    super(`${option} is no option: there is ${ROLE.name}=<role> alone, with the roles ${ROLE.allowed}`);
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the configuration.
 * @param args what follows the program's name on the command line
 * @throws ConfigError for the first value that is not allowed
 */
export function readConfig(env: Environment, args: readonly string[]): Config {
  // Checked although only the bootstrap acts on it: a wrong value is never passed over in silence.
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
    modelsDir: required(env, VARIABLES.MODELS_DIR),
    apiKey: optional(env, VARIABLES.API_KEY),
    engine: {
      kind,
      port: required(env, VARIABLES.ENGINE_PORT),
      address,
      namespace: required(env, VARIABLES.TEMPORAL_NAMESPACE),
    },
    anthropic: {
      apiKey: optional(env, VARIABLES.ANTHROPIC_API_KEY),
      baseUrl: optional(env, VARIABLES.ANTHROPIC_BASE_URL),
    },
    sandbox: { isolation: required(env, VARIABLES.SANDBOX_ISOLATION) },
    logLevel: required(env, VARIABLES.LOG_LEVEL),
  });
}

/** Unset and empty are the same: compose files and CI systems pass empty values for what they leave out. */
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

function readRole(args: readonly string[]): Role {
  let text: string | undefined;
  for (const arg of args) {
    const match = /^--role=(.*)$/.exec(arg);
    if (match === null) throw new UnknownOption(arg);
    text = match[1];
  }
  return required({ [ROLE.name]: text }, ROLE);
}

function deepFreeze<T extends object>(value: T): T {
  for (const member of Object.values(value)) {
    if (typeof member === 'object' && member !== null) deepFreeze(member as object);
  }
  return Object.freeze(value);
}
