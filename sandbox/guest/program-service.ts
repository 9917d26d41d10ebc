import { spawn } from 'node:child_process';
import type { RunOptions, RunResult } from '../guest-protocol/guest.ts';
import { sendSignal } from '../process-tree.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Runs a program to its end in a process group of its own. Output beyond 16 MiB a stream is dropped. */
export function runProgram(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const [program, ...rest] = argv;
  if (program === undefined) return Promise.reject(new TypeError('argv must name a program'));
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    const stdout = new BoundedBytes();
    const stderr = new BoundedBytes();
    let timedOut = false;
    const killGroup = (): void => {
      if (child.pid !== undefined) sendSignal(-child.pid, 'SIGKILL');
    };
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup();
    }, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    options.signal?.addEventListener('abort', killGroup, { once: true });
    const settle = (): void => {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', killGroup);
    };
    child.stdout.on('data', (chunk: Buffer) => {
      stdout.push(chunk);
      if (stdout.length > (options.stopAfterBytes ?? Infinity)) killGroup();
    });
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    // It is no failure when a program does not read its input to the end.
    child.stdin.on('error', () => undefined);
    child.stdin.end(options.stdin ?? '');
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    let exited: { code: number | null } | null = null;
    const finish = (): void => {
      settle();
      child.stdout.destroy();
      child.stderr.destroy();
      resolve({ code: exited?.code ?? null, stdout: stdout.bytes(), stderr: stderr.bytes(), timedOut });
    };
    child.once('close', finish);
    child.once('exit', (code) => {
      exited = { code };
      // A daemon that the program left behind may hold the pipes open. What was written by now is read, then we go on.
      setTimeout(() => {
        if (!child.stdout.closed || !child.stderr.closed) finish();
      }, 200).unref();
    });
  });
}

/** Starts a program in a session of its own and leaves it running. Returns its pid once it has been started. */
export function launchProgram(
  argv: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<number> {
  const [program, ...rest] = argv;
  if (program === undefined) return Promise.reject(new TypeError('argv must name a program'));
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, {
      stdio: 'ignore',
      detached: true,
      env: { ...process.env, ...options.env },
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve(child.pid ?? 0);
    });
  });
}

class BoundedBytes {
  readonly #chunks: Buffer[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(chunk: Buffer): void {
    const room = MAX_OUTPUT_BYTES - this.#length;
    if (room <= 0) return;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#chunks.push(kept);
    this.#length += kept.length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks, this.#length);
  }
}
