import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { readClientHello } from './client-hello.ts';
import { normalHost } from './target.ts';

/** Nothing either way for as long ends a tunnel. */
const IDLE_MS = 15 * 60_000;
const HELLO_MS = 30_000;

/** Carries bytes both ways until both sides have ended, either has failed, or nothing has come for a quarter of an hour. */
export function joinStreams(near: Duplex, far: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    // What goes either way passes through the near side.
    if (near instanceof Socket) near.setTimeout(IDLE_MS, end);
    near.on('error', end);
    near.once('close', end);
    far.on('error', end);
    far.once('close', () => {
      end();
      resolve();
    });
    near.pipe(far);
    far.pipe(near);
  });
}

/**
 * Waits for the client's first bytes and puts them back. Answers why the tunnel must not be: a TLS handshake that asks for
 * another server than the one the tunnel was allowed for, which a host that serves many (a CDN) would carry out.
 */
export function frontingRefusal(near: Duplex, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    // A protocol in which the server speaks first.
    const timer = setTimeout(() => settle(null), HELLO_MS);
    const settle = (refusal: string | null): void => {
      clearTimeout(timer);
      near.off('data', onData);
      near.off('end', onEnd);
      near.off('close', onEnd);
      near.pause();
      if (bytes.length > 0 && !near.destroyed) near.unshift(bytes);
      resolve(refusal);
    };
    const onEnd = (): void => settle(null);
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const first = readClientHello(bytes);
      if (first === 'more') return;
      if (first === 'no-tls' || first.serverName === null) settle(null);
      else {
        const asked = normalHost(first.serverName) ?? first.serverName;
        settle(asked === host ? null : `TLS asks for another host (${asked.slice(0, 253)})`);
      }
    };
    near.on('data', onData);
    near.once('end', onEnd);
    near.once('close', onEnd);
  });
}
