import { dirname } from 'node:path';
import {
  type Guest,
  GuestFileError,
  type GuestFileKind,
  type GuestFiles,
} from '../../guest-protocol/guest.ts';
import { pythonRepr } from '../python-text.ts';
import { ToolError } from '../tool.ts';
import type { EditorBehaviour } from './compat.ts';
import { encode, encodeProblem } from './utf8.ts';

/** glibc's numbers and texts for file system errors, as Python's OSError prints them. */
const ERRNO: Readonly<Record<string, string>> = {
  EPERM: '[Errno 1] Operation not permitted',
  ENOENT: '[Errno 2] No such file or directory',
  EIO: '[Errno 5] Input/output error',
  EACCES: '[Errno 13] Permission denied',
  EBUSY: '[Errno 16] Device or resource busy',
  ENOTDIR: '[Errno 20] Not a directory',
  EISDIR: '[Errno 21] Is a directory',
  EINVAL: '[Errno 22] Invalid argument',
  EMFILE: '[Errno 24] Too many open files',
  ETXTBSY: '[Errno 26] Text file busy',
  EFBIG: '[Errno 27] File too large',
  ENOSPC: '[Errno 28] No space left on device',
  EROFS: '[Errno 30] Read-only file system',
  ENAMETOOLONG: '[Errno 36] File name too long',
  ELOOP: '[Errno 40] Too many levels of symbolic links',
  EDQUOT: '[Errno 122] Disk quota exceeded',
};

/** Reads and writes the agent's files for the editor, and turns every failure into the reference's text. */
export class Documents {
  readonly #files: GuestFiles;
  readonly #run: Guest['run'];
  readonly #behaviour: EditorBehaviour;

  constructor(files: GuestFiles, run: Guest['run'], behaviour: EditorBehaviour) {
    this.#files = files;
    this.#run = run;
    this.#behaviour = behaviour;
  }

  /** Returns the kind of `path`; null when nothing is there or nothing can be. */
  async kind(path: string, purpose: 'read' | 'write to'): Promise<GuestFileKind | null> {
    if (pathProblem(path) !== null) return null;
    try {
      return (await this.#files.stat(path))?.kind ?? null;
    } catch (error) {
      if (error instanceof GuestFileError && error.code === 'ELOOP') return null;
      throw ranInto(error, purpose, path);
    }
  }

  async read(path: string): Promise<{ readonly bytes: Uint8Array; readonly text: string }> {
    try {
      const bytes = await this.#files.read(path);
      return { bytes, text: this.#behaviour.decode(bytes) };
    } catch (error) {
      throw ranInto(error, 'read', path);
    }
  }

  async write(path: string, text: string): Promise<void> {
    const problem = pathProblem(path) ?? (await this.#folderProblem(path));
    if (problem !== null) throw new ToolError(`Ran into ${problem} while trying to write to ${path}`);
    // `text` may contain bytes that are not UTF-8, as `decode` represents them; a model's own text was checked before.
    await this.writeBytes(path, encode(text));
  }

  /** Refuses a model's text that cannot be written. */
  async checkText(path: string, text: string): Promise<void> {
    const problem = encodeProblem(text);
    if (problem === null) return;
    if (this.#behaviour.emptiesOnEncodeError) await this.write(path, '');
    throw new ToolError(`Ran into ${problem} while trying to write to ${path}`);
  }

  async writeBytes(path: string, bytes: Uint8Array): Promise<void> {
    try {
      await this.#files.write(path, bytes);
    } catch (error) {
      throw ranInto(error, 'write to', path);
    }
  }

  /** Returns a folder's entries, a line each. */
  async list(path: string): Promise<string> {
    if (this.#behaviour.lists === 'find') return findListing(this.#run, path);
    try {
      return (await this.#files.walk(path, 2)).map((entry) => `${entry}\n`).join('');
    } catch (error) {
      throw ranInto(error, 'read', path);
    }
  }

  /**
   * Returns why the folder of a new file cannot be used: something else is in the way, or it is missing and not made.
   */
  async #folderProblem(path: string): Promise<string | null> {
    const parent = dirname(path);
    let folder = parent;
    let kind = await this.kind(folder, 'write to');
    while (kind === null && folder !== '/') {
      folder = dirname(folder);
      kind = await this.kind(folder, 'write to');
    }
    if (kind !== 'directory') return `${ERRNO['ENOTDIR']}: ${pythonRepr(path)}`;
    return folder === parent || this.#behaviour.makesFolders
      ? null
      : `${ERRNO['ENOENT']}: ${pythonRepr(path)}`;
  }
}

/** Returns why a text cannot be a path at all. */
function pathProblem(path: string): string | null {
  return path.includes('\0') ? 'embedded null byte' : encodeProblem(path);
}

function ranInto(error: unknown, purpose: 'read' | 'write to', path: string): unknown {
  const reason = errorReason(error);
  return reason === null ? error : new ToolError(`Ran into ${reason} while trying to ${purpose} ${path}`);
}

function errorReason(error: unknown): string | null {
  if (error instanceof RangeError) return error.message;
  if (!(error instanceof GuestFileError)) return null;
  const words = ERRNO[error.code];
  return words === undefined ? `[${error.code}] ${error.message}` : `${words}: ${pythonRepr(error.path)}`;
}

const UNFINISHED = '/bin/sh: 1: Syntax error: Unterminated quoted string\n';

/**
 * Returns what the reference's directory view shows: `find` in the file system's own order. The reference puts the path
 * into a shell command. Here no shell is involved, and only the shell's splitting of the path at spaces and quotes is
 * reproduced. Nothing is expanded, substituted or executed.
 * @throws ToolError with the complaint of `find`, as the reference answers then
 */
async function findListing(run: Guest['run'], path: string): Promise<string> {
  const words = wordsOf(path);
  if (words === null) throw new ToolError(UNFINISHED);
  const { stdout, stderr } = await run([
    'find',
    ...words,
    '-maxdepth',
    '2',
    '-not',
    '-path',
    String.raw`*/\.*`,
  ]);
  if (stderr.length > 0) throw new ToolError(utf8Text(stderr));
  return utf8Text(stdout);
}

/**
 * Returns the words a shell splits a path into. It is the path alone where one of them would be no path to `find`, and
 * null when a quote is open.
 */
function wordsOf(path: string): readonly string[] | null {
  const pieces: readonly string[] = path.match(/'[^']*'|"[^"]*"|[^\n\t '"]+|[\n\t ]+|['"]/g) ?? [];
  if (pieces.some((piece) => piece === "'" || piece === '"')) return null;
  const words = [''];
  for (const piece of pieces) {
    if (/^[\n\t ]/.test(piece)) words.push('');
    else words[words.length - 1] += /^['"]/.test(piece) ? piece.slice(1, -1) : piece;
  }
  const filled = words.filter((word) => word !== '');
  const plain = !path.includes('\n') && filled.slice(1).every((word) => !/^[-(),!]/.test(word));
  return plain ? filled : [path];
}

function utf8Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
