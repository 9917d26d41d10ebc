import { createConnection, createServer } from 'node:net';
import { listening } from '../../support/listening.ts';

/** Where a connection is cut: as somebody sends the text, which does not arrive, or as the server answers with the bytes, which do. */
type Cut = { readonly request: string } | { readonly answer: Buffer };

interface CutWay {
  /** The server's URL by this way. */
  readonly url: string;
  readonly cuts: () => number;
  close(): void;
}

/** What the server says when it is ready for the first query of a connection. */
export const READY = Buffer.from('Z\0\0\0\u0005I', 'latin1');

/** A way to a PostgreSQL server that is cut once. After an answer the server says, in the same packet, that it ends the connection. */
export async function cutWay(to: string, cut: Cut): Promise<CutWay> {
  const url = new URL(to);
  const [upstreamPort, host] = [Number(url.port), url.hostname];
  let cuts = 0;
  const way = createServer((client) => {
    const upstream = createConnection(upstreamPort, host);
    client
      .on('error', () => undefined)
      .on('data', (data: Buffer) => {
        if (cuts > 0 || !('request' in cut) || !data.includes(cut.request)) return void upstream.write(data);
        cuts += 1;
        upstream.destroy();
        client.resetAndDestroy();
      });
    client.on('close', () => upstream.destroy());
    upstream
      .on('error', () => undefined)
      .on('data', (data: Buffer) => {
        if (cuts > 0 || !('answer' in cut) || !data.includes(cut.answer)) return void client.write(data);
        cuts += 1;
        client.end(Buffer.concat([data, ENDED]));
      })
      .on('close', () => client.end());
  });
  url.port = String(await listening(way));
  return { url: url.href, cuts: () => cuts, close: () => void way.close() };
}

/** An error message of the protocol, as a server sends it to each of its clients when it shuts down. */
const ENDED = ((): Buffer => {
  const fields = 'SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0';
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, Buffer.from(fields, 'latin1')]);
})();
