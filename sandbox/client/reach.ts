import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { SandboxError } from '@steadyhand/contracts';
import { ConnectionLostError } from './connection/daemon-connection.ts';
import type { SandboxHost } from './hosts/host.ts';
import type { SandboxLink } from './connection/link.ts';

/** The number of connections lost in a row before a call gives up. */
const MAX_LOST = 6;

/**
 * Does some work with a sandbox's daemon, again after a lost connection. Refusals become errors with the sandbox's id.
 */
export async function reachThrough<T>(
  hostOf: () => SandboxHost | Promise<SandboxHost>,
  id: string,
  work: (link: SandboxLink) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let lost = 1; ; lost += 1) {
    signal?.throwIfAborted();
    const host = await hostOf();
    const link = await unlessAborted(host.connect(id), signal);
    try {
      return await work(link);
    } catch (error) {
      if (error instanceof SandboxError)
        throw new SandboxError(error.code, error.reason, { sandbox: id, cause: error });
      if (!(error instanceof ConnectionLostError)) throw error;
      host.forget(id, link);
      if (lost >= MAX_LOST)
        throw new SandboxError('unavailable', error.message, { sandbox: id, cause: error });
      await unlessAborted(pause(20 * 2 ** lost), signal);
    }
  }
}

/** Settles like the promise, or rejects with the signal's reason when that comes first; the work goes on. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      try {
        signal.throwIfAborted();
      } catch (reason) {
        reject(reason);
      }
    };
    signal.addEventListener('abort', stop, { once: true });
    stop();
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** The bytes of a stream. Throws ConnectionLostError when it is cut short. */
export async function readWhole(body: Readable): Promise<Buffer> {
  try {
    return Buffer.concat(await body.toArray());
  } catch (error) {
    throw new ConnectionLostError('the answer was cut short', { cause: error });
  }
}
