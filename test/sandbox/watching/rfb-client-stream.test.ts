import {
  keyEvent,
  pointerEvent,
  RfbClientStream,
  RfbError,
  type RfbMessage,
} from '../../../sandbox/daemon/watching/rfb-client-stream.ts';
import { PersonInputs } from '../../../sandbox/daemon/watching/person-inputs.ts';
import { assertProperty, fc } from '../../support/fast-check.ts';

const HELLO = Buffer.concat([Buffer.from('RFB 003.008\n'), Buffer.from([1, 0])]);
const after = (...parts: Uint8Array[]): RfbMessage[] =>
  new RfbClientStream().push(Buffer.concat([HELLO, ...parts])).slice(3);

const clipboard = (text: string): Buffer =>
  Buffer.concat([Buffer.from([6, 0, 0, 0, 0, 0, 0, text.length]), Buffer.from(text, 'latin1')]);

const encodings = (...wanted: number[]): Buffer => {
  const bytes = Buffer.alloc(4 + 4 * wanted.length);
  bytes[0] = 2;
  bytes.writeUInt16BE(wanted.length, 2);
  wanted.forEach((encoding, index) => bytes.writeInt32BE(encoding, 4 + 4 * index));
  return bytes;
};

test('input is told from what asks for pictures, however the bytes arrive', () => {
  const update = Buffer.from([3, 1, 0, 0, 0, 0, 1, 0, 1, 0]);
  const format = Buffer.alloc(20);
  const message = fc.constantFrom<[Buffer, RfbMessage['type']]>(
    [format, 'pass'],
    [encodings(0, 7), 'pass'],
    [update, 'pass'],
    [keyEvent(true, 0x61).bytes, 'key'],
    [pointerEvent(1, 10, 20), 'pointer'],
    [clipboard('secret'), 'clipboard'],
    [clipboard(''), 'clipboard'],
    [Buffer.alloc(10, 0).fill(150, 0, 1), 'drop'],
    [Buffer.from([248, 0, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]), 'drop'],
    [Buffer.from([250, 0, 1, 2]), 'drop'],
    [Buffer.concat([Buffer.from([251, 0, 0, 9, 0, 9, 1, 0]), Buffer.alloc(16)]), 'drop'],
    [Buffer.from([255, 0, 0, 1, 0, 0, 0, 0x62, 0, 0, 0, 30]), 'key'],
  );
  assertProperty(100, fc.array(message, { maxLength: 20 }), fc.array(fc.nat(30)), (messages, cuts) => {
    const all = Buffer.concat([HELLO, ...messages.map(([bytes]) => bytes)]);
    const stream = new RfbClientStream();
    const types: string[] = [];
    let from = 0;
    for (const cut of [...cuts, all.length]) {
      types.push(...stream.push(all.subarray(from, from + cut)).map(({ type }) => type));
      from = Math.min(all.length, from + cut);
    }
    expect(types.slice(3)).toEqual(messages.map(([, type]) => type));
  });
});

test('what is not known ends the connection', () => {
  for (const bytes of [
    Buffer.from([7, 0]),
    Buffer.from([11, 0]),
    Buffer.from([255, 1, 0, 0]),
    Buffer.from([248, 0, 0, 0, 0, 0, 0, 0, 65]),
    Buffer.from([2, 0, 0xff, 0xff]),
    Buffer.from([6, 0, 0, 0, 0xff, 0xff, 0xff, 0xf0]),
    Buffer.from([6, 0, 0, 0, 0x7f, 0, 0, 0]),
  ]) {
    expect(() => after(bytes)).toThrow(RfbError);
  }
  expect(() => new RfbClientStream().push(Buffer.from('GET / HTTP/1'))).toThrow(RfbError);
  expect(() => new RfbClientStream().push(Buffer.from('RFB 003.008\n\x10'))).toThrow(RfbError);
});

test('a viewer is shared with the others whatever it asks, and given no extension that it could act through', () => {
  const [, , init] = new RfbClientStream().push(HELLO);
  expect(init).toEqual({ type: 'pass', bytes: Buffer.from([1]) });
  expect(after(encodings(7, -258, -309, -313, -239))).toEqual([{ type: 'pass', bytes: encodings(7, -239) }]);
});

test('what a person did is told by buttons, places and names of keys; the pointer’s way is thinned', () => {
  const person = new PersonInputs(false);
  const inputs = after(
    pointerEvent(0, 5, 5),
    pointerEvent(0, 6, 6),
    pointerEvent(1, 7, 7),
    pointerEvent(0, 7, 7),
    ...[0xffe1, 0x41, 0xff0d, 0x010020ac].map((keysym) => keyEvent(true, keysym).bytes),
    clipboard('four'),
  );
  const told = inputs.flatMap((input) =>
    input.type === 'pass' || input.type === 'drop' ? [] : person.take(input, 1.2),
  );
  expect(told).toEqual([
    { type: 'move', at_ms: 1, x: 5, y: 5 },
    { type: 'button', at_ms: 1, button: 1, down: true, x: 7, y: 7 },
    { type: 'button', at_ms: 1, button: 1, down: false, x: 7, y: 7 },
    ...['Shift_L', 'A', 'Return', '€'].map((keysym) => ({ type: 'key', at_ms: 1, keysym, down: true })),
    { type: 'clipboard', at_ms: 1, characters: 4 },
  ]);
  expect(person.releases()).toHaveLength(4);
  expect(person.releases()).toEqual([]);
  const hidden = new PersonInputs(true).take(keyEvent(true, 0x61), 0);
  expect(hidden).toEqual([{ type: 'key', at_ms: 0, keysym: 'hidden', down: true }]);
});
