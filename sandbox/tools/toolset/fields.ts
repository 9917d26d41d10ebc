import { GuestFileError } from '../../guest-protocol/guest.ts';
import { ToolError } from '../tool.ts';

/** A tool's input as the model wrote it: a null counts as absent, and unknown fields are ignored. */
export class ToolsetInput {
  readonly #tool: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(tool: string, input: unknown) {
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      throw new ToolError(`${tool}: the input must be an object`);
    this.#tool = tool;
    this.#fields = input as Readonly<Record<string, unknown>>;
  }

  /** Returns the text of a field that must be present and not empty. */
  required(name: string): string {
    const text = this.optional(name);
    if (text === undefined || text === '') throw this.fault(`${name} is required`);
    return text;
  }

  optional(name: string): string | undefined {
    const value = this.#fields[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== 'string') throw this.fault(`${name} must be a string`);
    return value;
  }

  /** Returns a path that must be present. */
  path(name: string): string {
    return this.#checked(name, this.required(name));
  }

  optionalPath(name: string): string | undefined {
    const path = this.optional(name);
    return path === undefined || path === '' ? undefined : this.#checked(name, path);
  }

  /** Returns a flag; false where it is absent. */
  flag(name: string): boolean {
    const value = this.#fields[name] ?? false;
    if (typeof value !== 'boolean') throw this.fault(`${name} must be true or false`);
    return value;
  }

  /** Returns a whole number of at least 0; undefined where it is absent. */
  count(name: string): number | undefined {
    const value = this.#fields[name] ?? undefined;
    if (value === undefined) return undefined;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      throw this.fault(`${name} must be a whole number of at least 0`);
    return value;
  }

  /** Returns two whole numbers; undefined where they are absent or an empty list stands for that. */
  pair(name: string, form: string): readonly [number, number] | undefined {
    const value = this.#fields[name] ?? undefined;
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return undefined;
    const [first, second] = Array.isArray(value) && value.length === 2 ? (value as unknown[]) : [];
    if (!isWhole(first) || !isWhole(second)) throw this.fault(`${name} must be ${form}`);
    return [first, second];
  }

  /** Makes the error that reports a failure of this tool. */
  fault(problem: string): ToolError {
    return new ToolError(`${this.#tool}: ${problem}`);
  }

  /** Makes the error for a file that cannot be read or written; any other error is returned unchanged. */
  fileFault(error: unknown, path: string): unknown {
    if (!(error instanceof GuestFileError)) return error;
    return this.fault(`${path}: ${FILE_FAULTS[error.code] ?? `input or output error (${error.code})`}`);
  }

  #checked(name: string, path: string): string {
    if (path.includes('\0')) throw this.fault(`${name} must not hold a NUL character`);
    return path;
  }
}

const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
  EINVAL: 'is not a regular file',
  ELOOP: 'too many levels of symbolic links',
  ENAMETOOLONG: 'file name too long',
  ENOSPC: 'no space left on device',
  EDQUOT: 'no space left on device',
  EROFS: 'read-only file system',
  EMFILE: 'too many open files',
  EFBIG: 'is larger than 32 MiB',
};

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}
