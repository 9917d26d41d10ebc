import http from 'node:http';
import { quantile } from '../lib/figures.ts';

export interface LoadResult {
  readonly imagesPerSecond: number;
  readonly p50: number;
  readonly p95: number;
}

const BOUNDARY = 'bench-boundary';

/** An upload as every client sends it; built once, so that the sender costs little beside the server. */
export function uploadOf(name: string, bytes: Buffer): Buffer {
  const head =
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\n` +
    `content-type: image/${name}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
}

/** Posts the body `count` times, `concurrency` at a time, each over a connection that is kept. Fails on any answer but 200. */
export async function load(
  url: string,
  body: Buffer,
  { count, concurrency }: { readonly count: number; readonly concurrency: number },
): Promise<LoadResult> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: concurrency });
  const latencies: number[] = [];
  let left = count;
  const sender = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const from = performance.now();
      await post(agent, url, body);
      latencies.push(performance.now() - from);
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: concurrency }, sender));
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return { imagesPerSecond: count / seconds, p50: quantile(latencies, 0.5), p95: quantile(latencies, 0.95) };
}

function post(agent: http.Agent, url: string, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(
      url,
      {
        agent,
        method: 'POST',
        headers: {
          'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
          'content-length': body.length,
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          if (response.statusCode === 200) resolve();
          else
            reject(new Error(`${url} answered ${response.statusCode}: ${Buffer.concat(chunks).toString()}`));
        });
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}
