import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { readClientHello } from './client-hello.ts';
import { normalHost } from './target.ts';

/** A tunnel without traffic is closed after this time. */
const IDLE_MS = 15 * 60_000;

/**
 * Carries bytes both ways until both sides are closed; what one side has sent before it ended still reaches the other.
 * A side that fails closes the other too, and so do fifteen minutes without traffic. With a `host`, nothing reaches the
 * far side before `frontingRefusal` has allowed it. Resolves with the reason when it was refused, else with null.
 */
export function joinStreams(near: Duplex, far: Duplex, host: string | null = null): Promise<string | null> {
  return new Promise((resolve) => {
    let refusal: string | null = null;
    const end = (): void => {
      near.destroy();
      far.destroy();
    };
    const onClose = (): void => {
      if (near.closed && far.closed) resolve(refusal);
    };
    // Bytes in either direction pass through the near side.
    if (near instanceof Socket) near.setTimeout(IDLE_MS, end);
    for (const [side, other] of [
      [near, far],
      [far, near],
    ] as const) {
      side.on('error', end);
      side.once('close', () => {
        // Its last bytes may still be on their way to a slow reader.
        if (side.readableEnded && !other.writableFinished) other.once('finish', end);
        else end();
        onClose();
      });
    }
    // Either side may have closed before this.
    if (near.destroyed || far.destroyed) end();
    onClose();
    far.pipe(near);
    if (host === null) near.pipe(far);
    else {
      void frontingRefusal(near, host).then((reason) => {
        refusal = reason;
        if (reason === null) near.pipe(far);
        else end();
      });
    }
  });
}

/**
 * Waits for the client's first bytes and puts them back. Resolves with the reason why the tunnel is refused, or null.
 * It is refused when a TLS handshake asks for another server than the one the tunnel was allowed for (a host that
 * serves many, such as a CDN, would accept it), names no server, or cannot be read.
 */
function frontingRefusal(near: Duplex, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    let bytes = Buffer.alloc(0);
    const settle = (refusal: string | null): void => {
      near.off('data', onData);
      near.off('end', onEnd);
      near.off('close', onEnd);
      near.pause();
      if (refusal === null && bytes.length > 0 && !near.destroyed) near.unshift(bytes);
      resolve(refusal);
    };
    const onEnd = (): void => settle(bytes.length === 0 ? null : 'the TLS handshake was cut short');
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const first = readClientHello(bytes);
      if (first === 'more') return;
      if (first === 'unreadable') settle('the TLS handshake cannot be read');
      else if (first === 'no-tls') settle(null);
      else if (first.serverName === null) settle('TLS asks for no host by name');
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
