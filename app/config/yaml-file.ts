import { readFileSync, statSync } from 'node:fs';
import { parseDocument } from 'yaml';

/** A configuration file that cannot be used. The message is one line that begins with the file's path. */
export class ConfigFileError extends Error {
  override readonly name = 'ConfigFileError';

  constructor(file: string, path: string, text: string) {
    super(`${file}: ${path === '' ? '' : `${path}: `}${text.replaceAll(/\s*\n\s*/g, ' ')}`);
  }
}

interface ConfigFile {
  readonly content: unknown;
  /** Whether users other than its owner can read it. */
  readonly isOpen: boolean;
}

/**
 * Reads a YAML file, or a JSON file, which is YAML too.
 * @throws {ConfigFileError} when it cannot be read, in one line that repeats nothing of its content
 */
export function readYamlFile(file: string): ConfigFile {
  let text: string;
  let mode: number;
  try {
    text = readFileSync(file, 'utf8');
    ({ mode } = statSync(file));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigFileError(file, '', `cannot be read: ${code ?? String(error)}`);
  }
  const document = parseDocument(text, { prettyErrors: true });
  const [problem] = document.errors;
  if (problem !== undefined) {
    // The rest of the parser's message shows lines of the file, which may hold a key.
    const [line, column] = [problem.linePos?.[0].line, problem.linePos?.[0].col];
    const hint = text.includes('${') ? '; inside {...} a reference is quoted, "${NAME}"' : '';
    throw new ConfigFileError(
      file,
      '',
      `not valid YAML at line ${line}, column ${column} (${problem.code})${hint}`,
    );
  }
  try {
    return { content: document.toJS({ maxAliasCount: 100 }) as unknown, isOpen: (mode & 0o077) !== 0 };
  } catch {
    throw new ConfigFileError(file, '', 'not valid YAML: an alias leads nowhere, or to too much');
  }
}
