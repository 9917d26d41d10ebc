/** One field of a protobuf message. */
export interface Part {
  readonly number: number;
  /** 0 varint, 1 eight bytes, 2 bytes with a length, 5 four bytes. */
  readonly wire: number;
  /** Of a varint; 0 for the other kinds. */
  readonly value: number;
  /** The field's content, without its tag and length. */
  readonly body: Uint8Array;
  /** The whole field as it stands in the message. */
  readonly raw: Uint8Array;
}

/** The fields of a message in their order. @throws {RangeError} where the bytes are no message */
export function partsOf(message: Uint8Array): Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < message.length;) {
    const tag = varintAt(message, at);
    const wire = tag.value % 8;
    const number = Math.floor(tag.value / 8);
    let [start, end, value] = [tag.next, tag.next, 0];
    if (wire === 0) ({ value, next: end } = varintAt(message, start));
    else if (wire === 1) end += 8;
    else if (wire === 5) end += 4;
    else if (wire === 2) {
      const length = varintAt(message, start);
      start = length.next;
      end = start + length.value;
    } else throw new RangeError(`wire type ${String(wire)}`);
    if (end > message.length) throw new RangeError('a field is longer than its message');
    parts.push({ number, wire, value, body: message.subarray(start, end), raw: message.subarray(at, end) });
    at = end;
  }
  return parts;
}

/** A message of these pieces, one after the other. */
export function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

export function bytesField(number: number, body: Uint8Array): Uint8Array {
  return joined([varint(number * 8 + 2), varint(body.length), body]);
}

export function textField(number: number, text: string): Uint8Array {
  return bytesField(number, new TextEncoder().encode(text));
}

export function numberField(number: number, value: number): Uint8Array {
  return joined([varint(number * 8), varint(value)]);
}

export function floatField(number: number, value: number): Uint8Array {
  const body = new Uint8Array(4);
  new DataView(body.buffer).setFloat32(0, value, true);
  return joined([varint(number * 8 + 5), body]);
}

export function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

/** The numbers of a repeated varint field, packed or not. */
export function numbersOf(parts: readonly Part[], number: number): number[] {
  return parts
    .filter((part) => part.number === number)
    .flatMap(({ wire, value, body }) => {
      if (wire === 0) return [value];
      const numbers: number[] = [];
      for (let at = 0; at < body.length;) {
        const found = varintAt(body, at);
        numbers.push(found.value);
        at = found.next;
      }
      return numbers;
    });
}

function varintAt(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0;
  for (let index = 0, factor = 1; index < 10; index += 1, factor *= 128) {
    const byte = bytes[at + index];
    if (byte === undefined) throw new RangeError('a number has no end');
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return { value, next: at + index + 1 };
  }
  throw new RangeError('a number has no end');
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
