import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import type { DisplaySize } from '@steadyhand/contracts';
import { freeDisplayNumber, xLockPath, xSocketPath } from '../../../sandbox/guest/display-service.ts';

/** A real X server of the test's own. */
export interface Xvfb {
  readonly socketPath: string;
  /** For programs that are to use it. */
  readonly env: { readonly DISPLAY: string };
  readonly number: number;
  /** Ends the server, with SIGKILL in the middle of what it does, and waits for its end. */
  kill(signal?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Starts Xvfb on `number`: one that no other test takes in the meantime. */
export async function startXvfb(size: DisplaySize, number = freeDisplayNumber()): Promise<Xvfb> {
  const screen = `${size.width}x${size.height}x24`;
  const server = spawn(
    'Xvfb',
    [`:${number}`, '-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp', '-noreset'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const ready = server.stdio[3] as Readable;
  await Promise.race([
    once(ready, 'data'),
    once(server, 'exit').then(() => {
      throw new Error('Xvfb did not start');
    }),
  ]);
  return {
    socketPath: xSocketPath(number),
    env: { DISPLAY: `:${number}` },
    number,
    kill: async (signal = 'SIGTERM') => {
      await end(server, signal);
      // One that was killed leaves both behind.
      for (const path of [xSocketPath(number), xLockPath(number)]) rmSync(path, { force: true });
    },
  };
}

/** Starts a program that stays; it is ended with `end`. */
export function startProgram(argv: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(argv[0] ?? '', argv.slice(1), { env: { ...process.env, ...env }, stdio: 'ignore' });
}

export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}

/** Waits until `condition` gives something; fails after `timeoutMs`. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = 60_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== null && value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
