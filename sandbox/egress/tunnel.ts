import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
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

const HANDSHAKE = 22;
/** Other records of TLS: change_cipher_spec, alert, application_data, heartbeat. No connection begins with one. */
const OTHER_RECORDS: readonly number[] = [20, 21, 23, 24];
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;
const MAX_BYTES = 32 * 1024;

/**
 * What the first bytes of a connection are: `more` is needed, it is no TLS, it is TLS to a server by that name (null
 * when none is given), or it is a beginning of TLS that is too large or malformed, which a server might accept all the
 * same.
 */
type FirstBytes = 'more' | 'no-tls' | 'unreadable' | { readonly serverName: string | null };

/**
 * Reads the server name that a TLS client asks for. Without this check an allowed host could stand in for another one
 * behind it.
 */
function readClientHello(bytes: Buffer): FirstBytes {
  const [type] = bytes;
  if (type === undefined) return 'more';
  // A server may skip such a record and read the hello behind it.
  if (OTHER_RECORDS.includes(type)) return 'unreadable';
  if (type >= 0x80 && bytes.length < 5) return 'more';
  if (isOldHello(bytes)) return { serverName: null };
  if (type !== HANDSHAKE) return 'no-tls';
  const message = handshakeOf(bytes);
  if (message === null) return bytes.length > MAX_BYTES ? 'unreadable' : 'more';
  if (message[0] !== CLIENT_HELLO) return 'unreadable';
  try {
    return { serverName: serverNameOf(message) };
  } catch {
    return 'unreadable';
  }
}

/** A hello in the form of SSL 2.0, which TLS servers may still accept, has no field for a name. */
function isOldHello(bytes: Buffer): boolean {
  const [length = 0, , type, major, minor] = bytes;
  return length >= 0x80 && type === CLIENT_HELLO && (major === 3 || (major === 0 && minor === 2));
}

/** Returns the first handshake message, which may span several records; null while it is incomplete. */
function handshakeOf(bytes: Buffer): Buffer | null {
  let message = Buffer.alloc(0);
  for (let at = 0; at + 5 <= bytes.length && bytes[at] === HANDSHAKE;) {
    const length = bytes.readUInt16BE(at + 3);
    message = Buffer.concat([message, bytes.subarray(at + 5, at + 5 + length)]);
    if (message.length >= 4 && message.length >= 4 + message.readUIntBE(1, 3)) return message;
    at += 5 + length;
  }
  return null;
}

/** Throws RangeError where the message is malformed or gives more than one name. */
function serverNameOf(message: Buffer): string | null {
  // The header has 4 bytes, the version 2, the random 32. Then come session id, cipher suites and compression methods,
  // each with its length.
  let at = 38;
  at += 1 + message.readUInt8(at);
  at += 2 + message.readUInt16BE(at);
  at += 1 + message.readUInt8(at);
  if (at >= message.length) return null;
  const end = at + 2 + message.readUInt16BE(at);
  let name: string | null = null;
  for (at += 2; at + 4 <= end;) {
    const type = message.readUInt16BE(at);
    const length = message.readUInt16BE(at + 2);
    // The extension has a list length of 2 bytes, a name type of 1, a name length of 2, and the name.
    if (type === SERVER_NAME) {
      const bytes = message.readUInt16BE(at + 7);
      if (name !== null || message[at + 6] !== HOST_NAME || length !== bytes + 5 || at + 4 + length > end)
        throw new RangeError('not one host name');
      name = message.toString('latin1', at + 9, at + 9 + bytes);
    }
    at += 4 + length;
  }
  return name;
}
