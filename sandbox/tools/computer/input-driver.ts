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

/** What a pointer action needs besides itself. */
export interface PointerTarget {
  /** Where; undefined: where the pointer is. */
  readonly at: Point | undefined;
  /** Keys to hold meanwhile, as the model wrote them; empty for none. */
  readonly held: string;
}

/** How input is made. What is no key is told as xdotool tells it. */
export interface InputDriver {
  key(display: Display, text: string, signal: AbortSignal, times?: number): Promise<Complaint>;
  type(display: Display, text: string, signal: AbortSignal): Promise<Complaint>;
  holdKey(display: Display, text: string, seconds: number, signal: AbortSignal): Promise<Complaint>;
  click(display: Display, click: Click, target: PointerTarget, signal: AbortSignal): Promise<Complaint>;
  /** From one place to the other with the left button down. */
  drag(display: Display, from: Point, to: Point, held: string, signal: AbortSignal): Promise<Complaint>;
  scroll(
    display: Display,
    wheel: { readonly direction: Wheel; readonly clicks: number },
    target: PointerTarget,
    signal: AbortSignal,
  ): Promise<Complaint>;
}

/** The reference's: xdotool does what it has words for, with its complaints; text in chunks of 50 characters, 12 ms a key. */
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
    // One word, whatever is in it.
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

/** An xdotool call with keys held, in words as a shell would have split them. */
function heldDuring(held: string, call: readonly string[]): readonly string[] {
  const keys = splitKeys(held);
  return keys.length === 0 ? call : ['keydown', ...keys, ...call, 'keyup', ...keys];
}

function chunksOf(text: string, size: number): string[] {
  // Left alone, xdotool would press Linefeed, which few programs know. A NUL has no key at all.
  const typed = text.replaceAll('\0', '').replaceAll(/\r\n|\n/g, '\r');
  const chars = Array.from(Buffer.from(typed).toString());
  return Array.from({ length: Math.ceil(chars.length / size) }, (_, index) =>
    chars.slice(index * size, (index + 1) * size).join(''),
  );
}

/** Ours: XTEST at once, keys by all the names that people use. */
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

/** xdotool says everything once for pressing and once for letting go. */
function once(complaint: Complaint): Complaint {
  return Array.from(new Set(complaint.trimEnd().split('\n'))).join('\n');
}
