import { createHash } from 'node:crypto';
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { AwsV4Signer } from 'aws4fetch';
import type { S3Address } from './address.ts';
import type { S3Credentials } from './credentials.ts';

/** How many requests are under way at a time; more of them wait. */
const MAX_SOCKETS = 64;
/** Stores take signatures that are up to 15 minutes off. */
const CLOCK_TOLERANCE_MS = 5 * 60 * 1000;
const EMPTY = createHash('sha256').digest('hex');

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'POST' | 'HEAD' | 'DELETE';
  /** The object's key, prefix included; without it the request is one to the bucket. */
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

interface S3ConnectionOptions {
  readonly address: S3Address;
  readonly credentials: S3Credentials;
  /** Milliseconds in which nothing is sent or received, after which a request has failed. */
  readonly idleMs: number;
  readonly now: () => number;
}

/** Sends signed requests (AWS Signature Version 4), each once, over connections that are kept. */
export class S3Connection {
  readonly #options: S3ConnectionOptions;
  readonly #agent: HttpAgent;
  /** The keys that a day's signatures are made with. */
  readonly #signingKeys = new Map<string, ArrayBuffer>();
  /** How far the store's clock is ahead of this machine's: a signature holds for some minutes only. */
  #clockAheadMs = 0;

  constructor(options: S3ConnectionOptions) {
    this.#options = options;
    const kept = { keepAlive: true, maxSockets: MAX_SOCKETS };
    this.#agent = options.address.url.startsWith('https:') ? new HttpsAgent(kept) : new HttpAgent(kept);
  }

  /** Resolves when the answer's head has come, whatever it says. Rejects when the connection fails. */
  async send(asked: S3Request): Promise<IncomingMessage> {
    const { url, headers } = await this.#signed(asked);
    const { idleMs } = this.#options;
    return new Promise((resolve, reject) => {
      const options = { method: asked.method, headers, agent: this.#agent, timeout: idleMs };
      const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, options, resolve);
      // This ends the answer's body too, when that stops to come.
      request.on('timeout', () => {
        request.destroy(Object.assign(new Error(`nothing came for ${idleMs} ms`), { code: 'ETIMEDOUT' }));
      });
      request.on('error', reject);
      request.end(asked.body);
    });
  }

  /** Takes the store's time over when it is far from ours. False when it is not, so that it was no reason to refuse. */
  adjustClock(answer: IncomingMessage): boolean {
    const aheadMs = Date.parse(answer.headers.date ?? '') - this.#options.now();
    if (!(Math.abs(aheadMs - this.#clockAheadMs) > CLOCK_TOLERANCE_MS)) return false;
    this.#clockAheadMs = aheadMs;
    return true;
  }

  close(): void {
    this.#agent.destroy();
  }

  async #signed({ method, key, query = {}, headers = {}, body }: S3Request): Promise<{
    readonly url: URL;
    readonly headers: Readonly<Record<string, string>>;
  }> {
    const { address, credentials, now } = this.#options;
    const url = new URL(`${address.url}/${key ?? ''}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      method,
      url: url.toString(),
      service: 's3',
      region: address.region,
      accessKeyId: credentials.accessKeyId,
      secretAccessKey: credentials.secretAccessKey,
      ...(credentials.sessionToken !== undefined && { sessionToken: credentials.sessionToken }),
      headers: {
        ...headers,
        'x-amz-content-sha256': body === undefined ? EMPTY : createHash('sha256').update(body).digest('hex'),
      },
      cache: this.#signingKeys,
      datetime: new Date(now() + this.#clockAheadMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    });
    const signed = await signer.sign();
    return {
      url,
      headers: {
        ...Object.fromEntries(signed.headers),
        // Node leaves it out where there is no body, while stores ask for it.
        ...((method === 'PUT' || method === 'POST') && { 'content-length': String(body?.byteLength ?? 0) }),
      },
    };
  }
}
