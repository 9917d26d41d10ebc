import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { DisplaySize } from '../../../sandbox/protocol.ts';

/** A real X server of the test's own. */
export interface Xvfb {
  readonly socketPath: string;
  /** For programs that are to use it. */
  readonly env: { readonly DISPLAY: string };
  readonly number: number;
  /** Ends the server and waits for its end. */
  kill(): Promise<void>;
}

/** Starts Xvfb on `number`, or on the first free display. */
export async function startXvfb(size: DisplaySize, number?: number): Promise<Xvfb> {
  const server = spawn(
    'Xvfb',
    (number === undefined ? [] : [`:${number}`]).concat(
      ['-displayfd', '3', '-screen', '0', `${size.width}x${size.height}x24`],
      ['-nolisten', 'tcp', '-noreset'],
    ),
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] },
  );
  const ready = server.stdio[3] as Readable;
  const [line] = (await Promise.race([
    once(ready, 'data'),
    once(server, 'exit').then(() => {
      throw new Error('Xvfb did not start');
    }),
  ])) as [Buffer];
  const display = Number.parseInt(line.toString(), 10);
  return {
    socketPath: `/tmp/.X11-unix/X${display}`,
    env: { DISPLAY: `:${display}` },
    number: display,
    kill: () => end(server),
  };
}

/** Starts a program that stays; it is ended with `end`. */
export function startProgram(argv: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(argv[0] ?? '', argv.slice(1), { env: { ...process.env, ...env }, stdio: 'ignore' });
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Waits until `condition` gives something; fails after `timeoutMs`. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = 15_000,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const value = await condition();
    if (value !== null && value !== undefined && value !== false) return value;
    if (Date.now() > deadline) throw new Error(`timed out waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
