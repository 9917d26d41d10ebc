import type { PersonInput } from '@steadyhand/contracts';
import { keyEvent, pointerEvent, type RfbMessage } from './rfb-client-stream.ts';
import { keysymName } from './keysym-name.ts';

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
