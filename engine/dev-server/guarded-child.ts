import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';

/**
 * The guard is a process between this one and the program. It ends the program when its own standard input ends, which
 * the system ensures however this process dies. It has a process group of its own, so that Ctrl-C reaches only this
 * process, which can then drain first.
 */
const guardSource = `
const { spawn } = require('node:child_process');
const { writeSync } = require('node:fs');
const [command, ...args] = process.argv.slice(1);
const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
const end = () => {
  child.kill('SIGTERM');
  setTimeout(() => child.kill('SIGKILL'), 5000);
};
child.once('error', (error) => {
  console.error(String(error));
  process.exit(127);
});
child.once('spawn', () => writeSync(3, child.pid + '\\n'));
child.once('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
process.stdin.once('end', end).resume();
process.once('SIGTERM', end);
process.once('SIGINT', end);
`;

/** A program that ends when this process does. */
export interface GuardedChild {
  /** The process id of the program itself. */
  readonly pid: number;
  /** Resolves with the program's exit code once it has ended, for whatever reason. */
  readonly exited: Promise<number>;
  /** Asks the program to end, and kills it after 5 s; resolves once it has ended. It is safe to call this twice. */
  stop(): Promise<void>;
}

/**
 * Starts a program that does not outlive this process, even when this process is killed.
 *
 * @param logFile receives what the program prints; it is emptied at each start
 * @throws Error when it cannot be started
 */
export async function spawnGuarded(
  command: string,
  args: readonly string[],
  logFile: string,
): Promise<GuardedChild> {
  const log = await open(logFile, 'w');
  try {
    const guard = spawn(process.execPath, ['-e', guardSource, '--', command, ...args], {
      stdio: ['pipe', log.fd, log.fd, 'pipe'],
      detached: true,
    });
    const exited = new Promise<number>((resolve) => {
      guard.once('exit', (code) => resolve(code ?? 1));
      guard.once('error', () => resolve(127));
    });
    const pid = await new Promise<number>((resolve, reject) => {
      guard.stdio[3]?.once('data', (data: Buffer) => resolve(Number(data.toString())));
      guard.once('error', reject);
      guard.once('exit', () => reject(new Error(`${command} could not be started`)));
    });
    guard.stdin?.on('error', () => undefined);
    return {
      pid,
      exited,
      stop: async () => {
        guard.stdin?.end();
        await exited;
      },
    };
  } finally {
    await log.close();
  }
}
