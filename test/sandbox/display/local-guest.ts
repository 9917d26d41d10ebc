import { spawn } from 'node:child_process';
import { createFileService } from '../../../sandbox/guest/file-service.ts';
import type { Guest, RunOptions, RunResult } from '../../../sandbox/guest-protocol/guest.ts';

/** A Guest on this very machine, without isolation: real programs and real files, for tests of what stands on a Guest. */
export function localGuest(env: Readonly<Record<string, string>> = {}): Guest {
  return {
    files: createFileService(),
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
