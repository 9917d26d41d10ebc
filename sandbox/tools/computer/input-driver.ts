import type { Display } from '../../display/display.ts';
import type { Button, Point, Wheel } from '../../display/mouse.ts';
import { pause } from '../../display/settle.ts';
import type { Complaint } from '../../display/xdotool.ts';
import { ToolError } from '../tool.ts';
import { readKeys, splitKeys } from './key-names.ts';

export interface Click {
  readonly button: Button;
  readonly count: number;
  /** Milliseconds from one click to the next. */
  readonly gapMs: number;
}

/** The position of a pointer action and the keys held with it. */
interface PointerTarget {
  /** The position; undefined means the pointer's current position. */
  readonly at: Point | undefined;
  /** Keys to hold meanwhile, as the model wrote them; empty for none. */
  readonly held: string;
}

/** Makes input on a display. A name that is no key is reported as xdotool reports it. */
export interface InputDriver {
  key(display: Display, text: string, signal: AbortSignal, times?: number): Promise<Complaint>;
  type(display: Display, text: string, signal: AbortSignal): Promise<Complaint>;
  holdKey(display: Display, text: string, seconds: number, signal: AbortSignal): Promise<Complaint>;
  click(display: Display, click: Click, target: PointerTarget, signal: AbortSignal): Promise<Complaint>;
  /** Drags from one position to the other with the left button down. */
  drag(display: Display, from: Point, to: Point, held: string, signal: AbortSignal): Promise<Complaint>;
  scroll(
    display: Display,
    wheel: { readonly direction: Wheel; readonly clicks: number },
    target: PointerTarget,
    signal: AbortSignal,
  ): Promise<Complaint>;
}

/**
 * The reference's input: xdotool runs the words it gets and complains in its own way; text is typed in chunks of 50
 * characters, 12 ms a key.
 */
export const REFERENCE_INPUT: InputDriver = {
  key: async ({ keyboard }, text, signal) => {
    const combinations = splitKeys(text);
    await keyboard.ready(combinations);
    return keyboard.xdotool.run(['key', '--', ...combinations], signal);
  },
  type: async ({ keyboard }, text, signal) => {
    let complaint = '';
    for (const chunk of chunksOf(text, 50)) {
      if (signal.aborted) break;
      await keyboard.prepare(chunk);
      complaint += await keyboard.xdotool.type(chunk, 12, signal);
    }
    return complaint;
  },
  holdKey: async ({ keyboard }, text, seconds, signal) => {
    // The text stays one word whatever it contains.
    splitKeys(text);
    return keyboard.xdotool.run(['keydown', text, 'sleep', String(seconds), 'keyup', text], signal);
  },
  click: async ({ keyboard, mouse }, { button, count, gapMs }, { at, held }, signal) => {
    if (at !== undefined) await mouse.move(at);
    if (held === '') return mouse.click(button, count, gapMs).then(() => '');
    const clicks = ['click', ...(count > 1 ? ['--repeat', String(count), '--delay', String(gapMs)] : [])];
    return keyboard.xdotool.run(heldDuring(held, [...clicks, String(button)]), signal);
  },
  drag: async ({ mouse }, from, to) => {
    await mouse.move(from);
    await mouse.drag(to);
    return '';
  },
  scroll: async ({ keyboard, mouse }, { direction, clicks }, { at, held }, signal) => {
    if (at !== undefined) await mouse.move(at);
    if (held === '' && clicks > 0) return mouse.scroll(direction, clicks, signal).then(() => '');
    const button = { up: '4', down: '5', left: '6', right: '7' }[direction];
    return keyboard.xdotool.run(heldDuring(held, ['click', '--repeat', String(clicks), button]), signal);
  },
};

/** Returns an xdotool call with keys held, split into words as a shell would do it. */
function heldDuring(held: string, call: readonly string[]): readonly string[] {
  const keys = splitKeys(held);
  return keys.length === 0 ? call : ['keydown', ...keys, ...call, 'keyup', ...keys];
}

function chunksOf(text: string, size: number): string[] {
  // xdotool would press Linefeed for a newline, which few programs know. A NUL has no key at all.
  const typed = text.replaceAll('\0', '').replaceAll(/\r\n|\n/g, '\r');
  const chars = Array.from(Buffer.from(typed).toString());
  return Array.from({ length: Math.ceil(chars.length / size) }, (_, index) =>
    chars.slice(index * size, (index + 1) * size).join(''),
  );
}

/** Our own input: XTEST without delays, and keys by all their common names. */
export const DEFAULT_INPUT: InputDriver = inputWith(readKeys);

export function inputWith(keysOf: (text: string) => string[]): InputDriver {
  const holding = (display: Display, held: string, work: () => Promise<void>): Promise<Complaint> => {
    const keys = keysOf(held);
    return keys.length === 0 ? work().then(() => '') : display.keyboard.holding(keys, work);
  };
  return {
    key: async ({ keyboard }, text, signal, times) => {
      const combinations = keysOf(text);
      if (combinations.length === 0) throw new ToolError('text is required for key');
      return once(await keyboard.press(combinations, signal, times));
    },
    type: ({ keyboard }, text, signal) => keyboard.type(text, signal),
    holdKey: async (display, text, seconds, signal) => {
      if (keysOf(text).length === 0) throw new ToolError('text is required for hold_key');
      return once(await holding(display, text, () => pause(seconds * 1000, signal)));
    },
    click: async (display, { button, count, gapMs }, { at, held }) => {
      const work = async (): Promise<void> => {
        if (at !== undefined) await display.mouse.move(at);
        await display.mouse.click(button, count, gapMs);
      };
      return once(await holding(display, held, work));
    },
    drag: async (display, from, to, held) => {
      const work = async (): Promise<void> => {
        await display.mouse.move(from);
        await display.mouse.drag(to);
      };
      return once(await holding(display, held, work));
    },
    scroll: async (display, { direction, clicks }, { at, held }, signal) => {
      const work = async (): Promise<void> => {
        if (at !== undefined) await display.mouse.move(at);
        await display.mouse.scroll(direction, clicks, signal);
      };
      return once(await holding(display, held, work));
    },
  };
}

/** Removes repetitions: xdotool reports everything once for pressing and once for releasing. */
function once(complaint: Complaint): Complaint {
  return Array.from(new Set(complaint.trimEnd().split('\n'))).join('\n');
}
