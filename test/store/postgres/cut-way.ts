import { createConnection, createServer } from 'node:net';
import { listening } from '../../support/listening.ts';

export interface CutWay {
  /** The server's URL by this way. */
  readonly url: string;
  readonly cuts: () => number;
  close(): void;
}

/** A way to a PostgreSQL server that is cut once, when somebody sends what contains the text, which does not arrive. */
export async function cutWay(to: string, text: string): Promise<CutWay> {
  const url = new URL(to);
  const [upstreamPort, host] = [Number(url.port), url.hostname];
  let cuts = 0;
  const way = createServer((client) => {
    const upstream = createConnection(upstreamPort, host);
    client
      .on('error', () => undefined)
      .on('data', (data: Buffer) => {
        if (cuts > 0 || !data.includes(text)) return void upstream.write(data);
        cuts += 1;
        upstream.destroy();
        client.resetAndDestroy();
      });
    client.on('close', () => upstream.destroy());
    upstream.on('error', () => undefined).pipe(client);
  });
  url.port = String(await listening(way));
  return { url: url.href, cuts: () => cuts, close: () => void way.close() };
}
