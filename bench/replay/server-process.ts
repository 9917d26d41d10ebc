import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Of the server process since the figures were last asked for. */
export interface LoopFigures {
  /** The longest time that the event loop was held, waiting for a processor included. */
  readonly max_ms: number;
  /** The longest time that its thread worked without going around the loop. */
  readonly worked_max_ms: number;
  readonly p99_ms: number;
  readonly cpu_s: number;
  readonly rss_mib: number;
}

export interface WatchedServer {
  readonly url: string;
  figures(): Promise<LoopFigures>;
  stop(): Promise<void>;
}

/** The built product on a data folder, with a watch on its event loop. */
export async function startWatched(main: string, dataDir: string): Promise<WatchedServer> {
  const child = spawn(
    process.execPath,
    ['--import', path.resolve('bench/replay/watch-loop.mjs'), '--enable-source-maps', main],
    {
      env: { ...process.env, PORT: '0', ENGINE_PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    },
  );
  const told = (async () => {
    for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
      const url = /^Steadyhand ready on (\S+)/.exec(line)?.[1];
      if (url !== undefined) return url;
    }
    throw new Error('the server ended before it was ready');
  })();
  const url = await told;
  child.stdout?.resume();
  return {
    url,
    async figures() {
      const answer = once(child, 'message') as Promise<[LoopFigures]>;
      child.send('figures');
      return (await answer)[0];
    },
    async stop() {
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
