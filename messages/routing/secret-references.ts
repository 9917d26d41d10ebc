type Environment = Readonly<Record<string, string | undefined>>;

/** A referenced environment variable is not set. */
export class VariableUnsetError extends Error {
  override readonly name = 'VariableUnsetError';
  readonly variable: string;

  constructor(variable: string) {
    super(`the environment variable ${variable} is not set`);
    this.variable = variable;
  }
}

/** The secrets that were found in a providers file. */
export interface FoundSecrets {
  /** The values that must stay out of logs and answers. */
  readonly values: string[];
  /** Whether the file itself holds a secret. */
  inFile: boolean;
}

/**
 * Replaces each `${NAME}` by the environment's value.
 *
 * @param isSecret whether a text without references is a secret too
 * @throws {VariableUnsetError} for the first that is unset or empty
 */
export function resolveSecret(
  text: string,
  env: Environment,
  found: FoundSecrets,
  isSecret: boolean,
): string {
  let references = 0;
  const value = text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
    references += 1;
    const inner = env[name]?.trim() ?? '';
    if (inner === '') throw new VariableUnsetError(name);
    found.values.push(inner);
    return inner;
  });
  if (references === 0 && isSecret) found.inFile = true;
  if (references > 0 || isSecret) found.values.push(value);
  return value;
}
