import { build } from 'esbuild';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { bundling } from '../support/bundling.ts';

/**
 * Bundles a TypeScript program that lies beside the tests, so that a plain `node` can run it in a process of its own,
 * which a test can kill.
 */
export async function bundle(program: string, outdir: string): Promise<string> {
  const outfile = join(outdir, `${program.replaceAll(/\W/g, '-')}.cjs`);
  await build({
    entryPoints: [join(process.cwd(), 'test', program)],
    outfile,
    platform: 'node',
    format: 'cjs',
    ...bundling(),
    logLevel: 'error',
  });
  return outfile;
}

export interface Child {
  readonly process: ChildProcess;
  /** The lines of its standard output as they arrive. */
  readonly lines: AsyncIterator<string, undefined>;
  /** Resolves when it has ended. */
  readonly ended: Promise<number | null>;
}

export function start(file: string, ...args: readonly string[]): Child {
  const child = spawn(process.execPath, [file, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_PATH: join(process.cwd(), 'node_modules') },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    process: child,
    lines,
    ended: new Promise((resolve) => child.once('exit', (code) => resolve(code))),
  };
}
