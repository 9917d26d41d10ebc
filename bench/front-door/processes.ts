import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A server as a process of its own. */
export interface Running {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Waits for the line that tells the address. */
async function running(child: ChildProcess, ready: RegExp): Promise<Running> {
  if (child.stdout === null) throw new Error('the process has no output to read');
  const lines = createInterface({ input: child.stdout });
  const exited = once(child, 'exit');
  const told = (async () => {
    for await (const line of lines) {
      const url = ready.exec(line)?.[1];
      if (url !== undefined) return url;
    }
    throw new Error('the process ended before it was ready');
  })();
  const url = await told;
  child.stdout.resume();
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

/** This program again, as the upstream. */
export async function startUpstreamProcess(): Promise<Running> {
  const script = process.argv[1] ?? '';
  const child = spawn(process.execPath, [script, '--upstream'], { stdio: ['ignore', 'pipe', 'inherit'] });
  return await running(child, /^upstream on (\S+)/);
}

/** The product as `npm start` runs it, in front of the upstream. */
export async function startProduct(upstream: string, dataDir: string): Promise<Running> {
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: '0',
    ENGINE_PORT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
    ANTHROPIC_API_KEY: 'sk-bench',
    ANTHROPIC_BASE_URL: upstream,
  };
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/main.mjs'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return await running(child, /^Steadyhand ready on (\S+)/);
}

/** Resident memory in MB: now, and the most since the process began. */
export function memoryOf(pid: number): { readonly now: number; readonly peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string): number =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0) / 1024);
  return { now: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}

/** Seconds of processor time that the process has used. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
