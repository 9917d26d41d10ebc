/**
 * A viewer's messages in the RFB protocol (RFC 6143, registered extensions). An unknown message ends its connection.
 */
export type RfbMessage =
  /** A message that is passed on unchanged: the handshake, and what the viewer wants to be sent and how. */
  | { readonly type: 'pass'; readonly bytes: Buffer }
  /** A known message that is never passed on. */
  | { readonly type: 'drop' }
  | { readonly type: 'key'; readonly bytes: Buffer; readonly keysym: number; readonly down: boolean }
  /** In `mask`, bit 0 is the left button, 1 the middle, 2 the right, 3 to 6 the wheel up, down, left, right. */
  | {
      readonly type: 'pointer';
      readonly bytes: Buffer;
      readonly mask: number;
      readonly x: number;
      readonly y: number;
    }
  | { readonly type: 'clipboard'; readonly bytes: Buffer; readonly characters: number };

export class RfbError extends Error {
  override readonly name = 'RfbError';
}

const SECURITY_NONE = 1;
const MAX_CLIPBOARD_BYTES = 1024 * 1024;
const MAX_ENCODINGS = 256;

/**
 * Extensions that are removed from those that a viewer asks for: keys by scan code (the keysym says more), power
 * control, other sizes of the screen, updates and fences that were not asked for (asking bounds the memory), and
 * clipboards that have to be fetched.
 */
const WITHHELD = new Set([-258, -309, -308, -312, -313, -316, 0xc0a1e5ce | 0]);

/** Splits one viewer's bytes into messages. Throws RfbError when they are invalid. */
export class RfbClientStream {
  #rest: Buffer = Buffer.alloc(0);
  #next: (bytes: Buffer) => readonly [number, RfbMessage] | null = (bytes) => this.#version(bytes);

  /** The messages that `chunk` completes, in order. */
  push(chunk: Buffer): RfbMessage[] {
    let rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const messages: RfbMessage[] = [];
    for (;;) {
      const found = rest.length === 0 ? null : this.#next(rest);
      if (found === null) break;
      const [length, message] = found;
      messages.push(message);
      rest = rest.subarray(length);
    }
    this.#rest = rest;
    return messages;
  }

  #version(bytes: Buffer): readonly [number, RfbMessage] | null {
    if (bytes.length < 12) return null;
    const version = bytes.toString('latin1', 0, 12);
    // In version 3.3 the server chooses the security type; no current viewer uses it.
    if (!/^RFB 003\.00[78]\n$/.test(version))
      throw new RfbError(`RFB version ${JSON.stringify(version)} is not 3.7 or 3.8`);
    this.#next = (rest) => this.#security(rest);
    return passOn(bytes, 12);
  }

  #security(bytes: Buffer): readonly [number, RfbMessage] {
    if (bytes[0] !== SECURITY_NONE) throw new RfbError(`security type ${bytes[0]} was not offered`);
    this.#next = () => {
      this.#next = messageOf;
      // The connection is always shared, so that a viewer cannot disconnect the others.
      return [1, { type: 'pass', bytes: Buffer.from([1]) }];
    };
    return passOn(bytes, 1);
  }
}

/** Reads one message after the handshake; null when it is incomplete. */
function messageOf(bytes: Buffer): readonly [number, RfbMessage] | null {
  switch (bytes[0]) {
    case 0: // SetPixelFormat
      return complete(bytes, 20, () => ({ type: 'pass', bytes: bytes.subarray(0, 20) }));
    case 2: // SetEncodings
      return bytes.length < 4 ? null : readEncodings(bytes);
    case 3: // FramebufferUpdateRequest
      return complete(bytes, 10, () => ({ type: 'pass', bytes: bytes.subarray(0, 10) }));
    case 4: // KeyEvent
      return complete(bytes, 8, () => keyEvent(bytes[1] !== 0, bytes.readUInt32BE(4)));
    case 5: // PointerEvent
      return complete(bytes, 6, () => ({
        type: 'pointer',
        bytes: bytes.subarray(0, 6),
        mask: bytes[1] ?? 0,
        x: bytes.readUInt16BE(2),
        y: bytes.readUInt16BE(4),
      }));
    case 6: // ClientCutText
      return bytes.length < 8 ? null : readCutText(bytes);
    case 150: // EnableContinuousUpdates
      return complete(bytes, 10, () => ({ type: 'drop' }));
    case 248: // ClientFence
      if (bytes.length < 9) return null;
      if ((bytes[8] ?? 0) > 64) throw new RfbError('a fence of more than 64 bytes');
      return complete(bytes, 9 + (bytes[8] ?? 0), () => ({ type: 'drop' }));
    case 250: // xvp
      return complete(bytes, 4, () => ({ type: 'drop' }));
    case 251: // SetDesktopSize
      return bytes.length < 8 ? null : complete(bytes, 8 + 16 * (bytes[6] ?? 0), () => ({ type: 'drop' }));
    case 255: // QEMU, of which the extended key event alone is known; its scan code is left out
      if (bytes.length < 2) return null;
      if (bytes[1] !== 0) throw new RfbError(`QEMU message ${bytes[1]} is not known`);
      return complete(bytes, 12, () => keyEvent(bytes.readUInt16BE(2) !== 0, bytes.readUInt32BE(4)));
    default:
      throw new RfbError(`message type ${bytes[0]} is not known`);
  }
}

function complete(
  bytes: Buffer,
  length: number,
  message: () => RfbMessage,
): readonly [number, RfbMessage] | null {
  return bytes.length < length ? null : [length, message()];
}

function passOn(bytes: Buffer, length: number): readonly [number, RfbMessage] {
  return [length, { type: 'pass', bytes: bytes.subarray(0, length) }];
}

function readEncodings(bytes: Buffer): readonly [number, RfbMessage] | null {
  const count = bytes.readUInt16BE(2);
  if (count > MAX_ENCODINGS) throw new RfbError(`${count} encodings are more than ${MAX_ENCODINGS}`);
  return complete(bytes, 4 + 4 * count, () => {
    const wanted = Array.from({ length: count }, (_, index) => bytes.readInt32BE(4 + 4 * index));
    const kept = wanted.filter((encoding) => !WITHHELD.has(encoding));
    const message = Buffer.alloc(4 + 4 * kept.length);
    message[0] = 2;
    message.writeUInt16BE(kept.length, 2);
    kept.forEach((encoding, index) => message.writeInt32BE(encoding, 4 + 4 * index));
    return { type: 'pass', bytes: message };
  });
}

function readCutText(bytes: Buffer): readonly [number, RfbMessage] | null {
  const length = bytes.readInt32BE(4);
  // A negative length means the extended clipboard, which is not offered.
  if (length < 0) throw new RfbError('the extended clipboard was not offered');
  if (length > MAX_CLIPBOARD_BYTES)
    throw new RfbError(`a clipboard of ${length} bytes is above ${MAX_CLIPBOARD_BYTES}`);
  return complete(bytes, 8 + length, () => ({
    type: 'clipboard',
    bytes: bytes.subarray(0, 8 + length),
    characters: length,
  }));
}

/** A key event to pass on. */
export function keyEvent(down: boolean, keysym: number): Extract<RfbMessage, { type: 'key' }> {
  const bytes = Buffer.alloc(8);
  bytes[0] = 4;
  bytes[1] = down ? 1 : 0;
  bytes.writeUInt32BE(keysym, 4);
  return { type: 'key', bytes, keysym, down };
}

/** A pointer event to pass on. */
export function pointerEvent(mask: number, x: number, y: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes[0] = 5;
  bytes[1] = mask;
  bytes.writeUInt16BE(x, 2);
  bytes.writeUInt16BE(y, 4);
  return bytes;
}
