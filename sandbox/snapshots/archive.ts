import { spawn } from 'node:child_process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { processEnd } from '../process-end.ts';

const PATH = { PATH: '/usr/bin:/bin' };
/** Most of what can be gained is gained at once, and more costs many times the processor's time. */
const COMPRESSION = ['--use-compress-program', 'gzip -1'];

/**
 * Returns entries of a folder that nobody else may change as a compressed tar archive: with modes, times, symbolic and
 * hard links, and holes. The stream ends in an error when `tar` fails.
 */
export function archiveOf(folder: string, entries: readonly string[]): Readable {
  const args = ['--create', '--format=posix', '--sparse', ...COMPRESSION, '--directory', folder, ...entries];
  const child = spawn('tar', args, { stdio: ['ignore', 'pipe', 'pipe'], env: PATH });
  const done = successOf(child);
  // Nobody waits for it when the reader has gone.
  done.catch(() => undefined);
  const read = async function* (): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of child.stdout as AsyncIterable<Buffer>) yield chunk;
      await done;
    } finally {
      child.kill('SIGKILL');
    }
  };
  return Readable.from(read(), { objectMode: false });
}

/** Unpacks an archive that `archiveOf` made into an empty folder that nobody else may reach. The files become this process's own. */
export async function unpackArchive(archive: Readable, folder: string): Promise<void> {
  const args = ['--extract', '--gzip', '--no-same-owner', '--preserve-permissions', '--directory', folder];
  const child = spawn('tar', args, { stdio: ['pipe', 'ignore', 'pipe'], env: PATH });
  try {
    const [written, done] = await Promise.allSettled([pipeline(archive, child.stdin), successOf(child)]);
    // `tar` closes its input when it fails, and its reason says more than that.
    for (const each of [done, written]) if (each.status === 'rejected') throw each.reason;
  } finally {
    child.kill('SIGKILL');
  }
}

/** Resolves when the process has ended well. */
async function successOf(child: ReturnType<typeof spawn>): Promise<void> {
  const said: Buffer[] = [];
  child.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
  const notStarted = new Promise<Error>((resolve) => child.once('error', resolve));
  const end = await Promise.race([processEnd(child), notStarted]);
  if (end instanceof Error) throw end;
  const { code, signal } = end;
  if (code === 0) return;
  const text = Buffer.concat(said).toString('utf8').trim();
  const full = /No space left|Disk quota/.test(text) ? { code: 'ENOSPC' } : {};
  throw Object.assign(new Error(`tar ended with ${signal ?? code}: ${text.slice(0, 1_000)}`), full);
}
