import { once } from 'node:events';
import path from 'node:path';
import { PRODUCT_READY, type Running, running, spawnProduct } from '../lib/server.ts';

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

export interface WatchedServer extends Running {
  figures(): Promise<LoopFigures>;
}

/** The built product on a data folder, with a watch on its event loop. */
export async function startWatched(main: string, dataDir: string): Promise<WatchedServer> {
  const args = ['--import', path.resolve('bench/replay/watch-loop.mjs')];
  const child = spawnProduct({ DATA_DIR: dataDir }, { main, args, ipc: true });
  const server = await running(child, PRODUCT_READY);
  const figures = async (): Promise<LoopFigures> => {
    const answer = once(child, 'message') as Promise<[LoopFigures]>;
    child.send('figures');
    return (await answer)[0];
  };
  return { ...server, figures };
}
