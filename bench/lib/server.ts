import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server as a process of its own. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Waits for the line that tells the address. */
export async function running(child: ChildProcess, ready: RegExp): Promise<Running> {
  if (child.stdout === null) throw new Error('the process has no output to read');
  const lines = createInterface({ input: child.stdout });
  const exited = once(child, 'exit');
  let url: string | undefined;
  for await (const line of lines) {
    url = ready.exec(line)?.[1];
    if (url !== undefined) break;
  }
  if (url === undefined) throw new Error('the process ended before it was ready');
  child.stdout.resume();
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  return { url, pid: child.pid ?? 0, stop };
}

/** The built product, as `npm start` runs it, with the settings of this process and these. */
export function spawnProduct(
  settings: Readonly<Record<string, string>>,
  {
    main = 'dist/main.mjs',
    args = [],
    ipc = false,
  }: { main?: string; args?: readonly string[]; ipc?: boolean } = {},
): ChildProcess {
  return spawn(process.execPath, [...args, '--enable-source-maps', main], {
    env: { ...process.env, PORT: '0', ENGINE_PORT: '0', LOG_LEVEL: 'warn', ...settings },
    stdio: ['ignore', 'pipe', 'inherit', ...(ipc ? (['ipc'] as const) : [])],
  });
}

/** The line that the product prints when it serves. */
export const PRODUCT_READY = /^Steadyhand ready on (\S+)/;
