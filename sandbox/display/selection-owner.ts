import type { XEvent } from 'x11';
import type { XConnection } from './connection.ts';
import { atom } from './properties.ts';

/** Larger texts are sent to the pasting program in parts of this size. */
const PART_BYTES = 128 * 1024;
/** The most large transfers at a time; a program that starts more has abandoned the first ones. */
const MAX_TRANSFERS = 32;
const REPLACE = 0;
/** Predefined atoms for types of properties. */
const ATOM = 4;
const STRING = 31;
const DELETED = 1;

/**
 * Serves texts to programs that paste, as long as the connection lives: `textOf` gives the text of a selection that
 * `window` owns. It is offered in UTF-8 under all its names and as Latin-1; large texts are sent in parts (ICCCM,
 * section 2.7.2).
 */
export async function serveSelection(
  connection: XConnection,
  window: number,
  textOf: (selection: number) => string | undefined,
): Promise<void> {
  const { x } = connection;
  const [targets, utf8, mime, text, incremental] = await Promise.all(
    ['TARGETS', 'UTF8_STRING', 'text/plain;charset=utf-8', 'TEXT', 'INCR'].map((name) =>
      atom(connection, name),
    ),
  );
  const unicode = [utf8, mime, text].filter((each) => each !== undefined);
  /** The parts still to be sent, by window and property. */
  const transfers = new Map<string, Buffer[]>();

  const put = (requestor: number, property: number, type: number, bytes: Buffer): void => {
    if (bytes.length <= PART_BYTES) {
      x.ChangeProperty(REPLACE, requestor, property, type, 8, bytes);
      return;
    }
    const parts: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += PART_BYTES) parts.push(bytes.subarray(at, at + PART_BYTES));
    transfers.set(`${requestor} ${property} ${type}`, [...parts, Buffer.alloc(0)]);
    for (const oldest of transfers.keys()) {
      if (transfers.size <= MAX_TRANSFERS) break;
      transfers.delete(oldest);
    }
    x.ChangeWindowAttributes(requestor, { eventMask: x.eventMask['PropertyChange'] ?? 0 });
    x.ChangeProperty(REPLACE, requestor, property, incremental ?? 0, 32, [bytes.length]);
  };

  const answer = ({ requestor = 0, selection = 0, target = 0, time = 0, ...event }: XEvent): void => {
    // An obsolete client may leave the property out and means the target's name.
    const property = event.property === undefined || event.property === 0 ? target : event.property;
    const held = textOf(selection);
    let given = property;
    if (held === undefined) given = 0;
    else if (target === targets)
      x.ChangeProperty(REPLACE, requestor, property, ATOM, 32, [target, ...unicode, STRING]);
    else if (unicode.includes(target))
      put(requestor, property, target === text ? (utf8 ?? 0) : target, Buffer.from(held, 'utf8'));
    else if (target === STRING) put(requestor, property, STRING, Buffer.from(held, 'latin1'));
    else given = 0;
    x.SendEvent(requestor, 0, 0, {
      name: 'SelectionNotify',
      time,
      requestor,
      selection,
      target,
      property: given,
    });
  };

  connection.onEvent((event) => {
    if (event.name === 'SelectionRequest' && event.owner === window) answer(event);
    if (event.name !== 'PropertyNotify' || event.state !== DELETED) return;
    for (const [key, parts] of transfers) {
      const [requestor, property, type] = key.split(' ').map(Number);
      if (requestor !== event.wid || property !== event.atom) continue;
      const [part, ...rest] = parts;
      if (part !== undefined) x.ChangeProperty(REPLACE, requestor ?? 0, property ?? 0, type ?? 0, 8, part);
      if (rest.length > 0) transfers.set(key, rest);
      else transfers.delete(key);
    }
  });
}
