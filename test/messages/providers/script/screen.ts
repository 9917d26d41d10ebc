import type { TextRecognizer } from '../../../../messages/index.ts';
import type { ScreenLine } from '../../../../messages/providers/script/text-recognizer.ts';
import type { Tool } from './conversing.ts';

/** A line of text whose characters are 8 by 16 pixels. */
export function line(text: string, x = 0, y = 0, score = 0.99): ScreenLine {
  return { text, box: [x, y, x + 8 * text.length, y + 16], score };
}

/** Screens by name; a screen's picture is its name, and reading it gives the lines. */
export function recognizing(screens: Readonly<Record<string, readonly ScreenLine[]>>): TextRecognizer & {
  readonly read: jest.Mock;
} {
  return {
    read: jest.fn((picture: Uint8Array) => Promise.resolve(screens[Buffer.from(picture).toString()] ?? [])),
  };
}

export const picture = (screen: string): { type: 'image'; source: object } => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: Buffer.from(screen).toString('base64') },
});

/** Shows each of the screens in turn, the last for ever. */
export function showing(...screens: string[]): Tool {
  let next = 0;
  return () => {
    const screen = screens[Math.min(next++, screens.length - 1)] ?? '';
    return { content: [picture(screen) as never], is_error: false };
  };
}
