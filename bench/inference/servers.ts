import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../lib/free-port.ts';

export interface Contender {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 60_000;

/** Starts a server as a process of its own and waits until the address answers. */
async function start(
  name: string,
  program: string,
  args: readonly string[],
  options: {
    readonly env: NodeJS.ProcessEnv;
    readonly port: number;
    readonly path: string;
    readonly ready: string;
  },
): Promise<Contender> {
  const child = spawn(program, args, { env: options.env, stdio: ['ignore', 'ignore', 'inherit'] });
  const base = `http://127.0.0.1:${options.port}`;
  const until = Date.now() + START_LIMIT_MS;
  while (!(await answers(base + options.ready))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode} before it was ready`);
    if (Date.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`${name} was not ready in ${START_LIMIT_MS} ms`);
    }
    await wait(200);
  }
  return { name, url: base + options.path, pid: child.pid ?? 0, stop: () => stop(child) };
}

/** The product, as `npm start` runs it. */
export async function startProduct(dataDir: string, modelsDir: string): Promise<Contender> {
  const port = await freePort();
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    ENGINE_PORT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: dataDir,
    MODELS_DIR: modelsDir,
    DEFAULT_MODEL: 'det',
  };
  return await start('steadyhand', process.execPath, ['dist/main.mjs'], {
    env,
    port,
    path: '/analyze?model=det&output=stats',
    ready: '/v2/models/det/ready',
  });
}

/** FastAPI on uvicorn with this many worker processes, each run with this many threads. */
export async function startPeer(
  python: string,
  model: string,
  { workers, threads }: { readonly workers: number; readonly threads: number },
): Promise<Contender> {
  const port = await freePort();
  const env = { ...process.env, PEER_MODEL: model, PEER_THREADS: String(threads) };
  const args = ['-m', 'uvicorn', 'peer:app', '--app-dir', 'bench/inference', '--port', String(port)];
  return await start(
    `python ${workers}x${threads}`,
    python,
    [...args, '--workers', String(workers), '--log-level', 'warning', '--no-access-log'],
    { env, port, path: '/analyze', ready: '/health' },
  );
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
