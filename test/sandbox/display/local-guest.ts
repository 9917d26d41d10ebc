import { spawn } from 'node:child_process';
import { mkdir, open, readdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  GuestFileError,
  type Guest,
  type GuestFiles,
  type RunOptions,
  type RunResult,
} from '../../../sandbox/guest/guest.ts';

const MAX_READ = 32 * 1024 * 1024;

/** A Guest on this very machine, without isolation: real programs and real files, for tests of what stands on a Guest. */
export function localGuest(env: Readonly<Record<string, string>> = {}): Guest {
  return {
    files: localFiles,
    run: (argv, options) => run(argv, env, options),
    launch: (argv, options) => {
      const child = spawn(argv[0] ?? '', argv.slice(1), {
        env: { ...process.env, ...env, ...options?.env },
        stdio: 'ignore',
        ...(options?.cwd === undefined ? {} : { cwd: options.cwd }),
      });
      return new Promise((resolve, reject) => {
        child.once('error', reject);
        child.once('spawn', () => resolve(child.pid ?? 0));
      });
    },
  };
}

function run(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  options: RunOptions = {},
): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    let timedOut = false;
    const child = spawn(argv[0] ?? '', argv.slice(1), {
      env: { ...process.env, ...env, ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    const end = (): void => void child.kill('SIGKILL');
    const timer = setTimeout(() => {
      timedOut = true;
      end();
    }, options.timeoutMs ?? 30_000);
    options.signal?.addEventListener('abort', end);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', end);
      resolve({ code, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr), timedOut });
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
  });
}

export const localFiles: GuestFiles = {
  stat: (path) =>
    guarded(path, async () => {
      try {
        const found = await stat(path);
        return {
          kind: found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other',
          size: found.size,
        };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    }),
  read: (path, maxBytes = MAX_READ) =>
    guarded(path, async () => {
      // O_NONBLOCK: opening a FIFO never waits for a writer.
      const file = await open(path, 0o4000);
      try {
        const found = await file.stat();
        if (!found.isFile()) throw new GuestFileError('EINVAL', path, `not a regular file: ${path}`);
        if (found.size > maxBytes) throw new GuestFileError('EFBIG', path, `file too large: ${path}`);
        return await file.readFile();
      } finally {
        await file.close();
      }
    }),
  write: (path, data) =>
    guarded(path, async () => {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, data);
    }),
  walk: (path, depth) => guarded(path, () => walk(path, depth)),
};

async function walk(path: string, depth: number): Promise<string[]> {
  const found = [path];
  if (depth === 0) return found;
  const entries = await readdir(path, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue;
    const child = join(path, entry.name);
    if (entry.isDirectory()) found.push(...(await walk(child, depth - 1)));
    else found.push(child);
  }
  return found;
}

async function guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GuestFileError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'EIO';
    throw new GuestFileError(code, path, (error as Error).message);
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
