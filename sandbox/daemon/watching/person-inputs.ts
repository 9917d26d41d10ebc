import type { PersonInput } from '@steadyhand/contracts';
import { keyEvent, pointerEvent, type RfbMessage } from './rfb-client-stream.ts';

/** A pointer movement is recorded by one point in this many milliseconds; button events have positions of their own. */
const MOVE_MS = 100;

type InputMessage = Extract<RfbMessage, { type: 'key' | 'pointer' | 'clipboard' }>;

/** Turns one viewer's input messages into records of a person's inputs, and knows what is held down. */
export class PersonInputs {
  readonly #hideKeys: boolean;
  readonly #keys = new Set<number>();
  #mask = 0;
  #x = 0;
  #y = 0;
  #moved = -Infinity;

  /** With `hideKeys` it is recorded that a key was pressed and not which one. */
  constructor(hideKeys: boolean) {
    this.#hideKeys = hideKeys;
  }

  /** The records for a message that is passed on; `at` is in milliseconds since the takeover's start. */
  take(message: InputMessage, at: number): readonly PersonInput[] {
    const at_ms = Math.round(at);
    switch (message.type) {
      case 'key': {
        if (message.down) this.#keys.add(message.keysym);
        else this.#keys.delete(message.keysym);
        const keysym = this.#hideKeys ? 'hidden' : keysymName(message.keysym);
        return [{ type: 'key', at_ms, keysym, down: message.down }];
      }
      case 'clipboard':
        return [{ type: 'clipboard', at_ms, characters: message.characters }];
      case 'pointer':
        return this.#pointer(message, at_ms);
    }
  }

  /** The messages that release all keys and buttons that are held down. */
  releases(): readonly Buffer[] {
    const keys = [...this.#keys].map((keysym) => keyEvent(false, keysym).bytes);
    this.#keys.clear();
    if (this.#mask === 0) return keys;
    this.#mask = 0;
    return [...keys, pointerEvent(0, this.#x, this.#y)];
  }

  #pointer({ mask, x, y }: Extract<InputMessage, { type: 'pointer' }>, at_ms: number): PersonInput[] {
    const changed = mask ^ this.#mask;
    const hasMoved = x !== this.#x || y !== this.#y;
    this.#mask = mask;
    this.#x = x;
    this.#y = y;
    if (changed !== 0) {
      this.#moved = at_ms;
      return [0, 1, 2, 3, 4, 5, 6, 7]
        .filter((bit) => (changed & (1 << bit)) !== 0)
        .map((bit) => ({ type: 'button', at_ms, button: bit + 1, down: (mask & (1 << bit)) !== 0, x, y }));
    }
    if (!hasMoved || at_ms - this.#moved < MOVE_MS) return [];
    this.#moved = at_ms;
    return [{ type: 'move', at_ms, x, y }];
  }
}

/** The keys of X's keysymdef.h that have a name and write no character. */
const NAMES: Readonly<Record<number, string>> = {
  0xff08: 'BackSpace',
  0xff09: 'Tab',
  0xff0d: 'Return',
  0xff13: 'Pause',
  0xff14: 'Scroll_Lock',
  0xff1b: 'Escape',
  0xff20: 'Multi_key',
  0xff50: 'Home',
  0xff51: 'Left',
  0xff52: 'Up',
  0xff53: 'Right',
  0xff54: 'Down',
  0xff55: 'Prior',
  0xff56: 'Next',
  0xff57: 'End',
  0xff61: 'Print',
  0xff63: 'Insert',
  0xff67: 'Menu',
  0xff7f: 'Num_Lock',
  0xff8d: 'KP_Enter',
  0xffe1: 'Shift_L',
  0xffe2: 'Shift_R',
  0xffe3: 'Control_L',
  0xffe4: 'Control_R',
  0xffe5: 'Caps_Lock',
  0xffe7: 'Meta_L',
  0xffe8: 'Meta_R',
  0xffe9: 'Alt_L',
  0xffea: 'Alt_R',
  0xffeb: 'Super_L',
  0xffec: 'Super_R',
  0xfe03: 'ISO_Level3_Shift',
  0xfe20: 'ISO_Left_Tab',
  0xffff: 'Delete',
  0x20: 'space',
};

/**
 * A keysym as it is named in events: the name of a key without a character (`Return`, `F5`, `KP_7`, also `space`), the
 * character itself for one with (`a`, `!`, `é`), else its number (`0x1008ff13`).
 */
function keysymName(keysym: number): string {
  const name = NAMES[keysym];
  if (name !== undefined) return name;
  if (keysym >= 0xffbe && keysym <= 0xffe0) return `F${keysym - 0xffbd}`;
  if (keysym >= 0xffb0 && keysym <= 0xffb9) return `KP_${keysym - 0xffb0}`;
  const isLatin1 = (keysym > 0x20 && keysym < 0x7f) || (keysym > 0xa0 && keysym <= 0xff);
  if (isLatin1) return String.fromCodePoint(keysym);
  const point = keysym - 0x01000000;
  const isCharacter = point >= 0x100 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff);
  return isCharacter ? String.fromCodePoint(point) : `0x${keysym.toString(16)}`;
}
