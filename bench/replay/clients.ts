import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';

/** What each of `count` clients asks for at once; done when `until` was read, or with the answer's end. */
export interface Crowd {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly count: number;
  readonly until?: string;
}

export interface CrowdResult {
  readonly bytes: number;
  readonly seconds: number;
}

/** Lets the crowd ask from a process of its own, so that what it costs is no cost of whoever measures. */
export async function askAtOnce(crowd: Crowd): Promise<CrowdResult> {
  const child = fork(process.argv[1] ?? '', ['--crowd', JSON.stringify(crowd)]);
  const [result] = (await once(child, 'message')) as [CrowdResult];
  child.kill('SIGKILL');
  return result;
}

/** The crowd's own process. */
export async function beCrowd(crowd: Crowd): Promise<void> {
  const began = performance.now();
  const sizes = await Promise.all(Array.from({ length: crowd.count }, () => readOne(crowd)));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  process.send?.({ bytes, seconds: (performance.now() - began) / 1000 } satisfies CrowdResult);
}

function readOne({ url, path, headers, until }: Crowd): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = http.get(new URL(path, url), { headers, agent: false }, (response) => {
      let bytes = 0;
      let tail = '';
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (until === undefined) return;
        // The last event's id may be cut by the border of two pieces.
        const text = tail + chunk.toString('latin1');
        tail = text.slice(-until.length);
        if (!text.includes(until)) return;
        request.destroy();
        resolve(bytes);
      });
      response.on('end', () => {
        if (response.statusCode === 200) resolve(bytes);
        else reject(new Error(`${path} was answered with ${response.statusCode}`));
      });
    });
    request.on('error', (error) => {
      if (!request.destroyed) reject(error);
    });
  });
}
