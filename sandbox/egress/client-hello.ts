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
export function readClientHello(bytes: Buffer): FirstBytes {
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
