import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import sharp from 'sharp';
import type { RawImage } from '../../../inference/images/raw-image.ts';
import type { Box, TextLine } from '../../../inference/common/results.ts';

/** A word on a screen. Its place is known for pages, but not for windows of other programs. */
export interface KnownWord {
  readonly text: string;
  /** Of its ink. */
  readonly box?: Box;
  /** Of the font, in px. */
  readonly size: number;
  /** Height of its ink in pixels. */
  readonly ink?: number;
}

export interface Screen {
  readonly name: string;
  readonly image: RawImage;
  readonly words: readonly KnownWord[];
}

/** The screens that test/oracle/ocr-screens/main.mjs made. */
export async function screens(folder: string): Promise<Screen[]> {
  const files = readdirSync(folder).filter((file) => file.endsWith('.png'));
  return Promise.all(
    files.toSorted().map(async (file) => {
      const name = basename(file, '.png');
      const { data, info } = await sharp(join(folder, file)).raw().toBuffer({ resolveWithObject: true });
      const { words } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as {
        words: KnownWord[];
      };
      const image = {
        width: info.width,
        height: info.height,
        channels: 3 as const,
        data: Uint8Array.from(data),
      };
      return { name, image, words };
    }),
  );
}

export interface Verdict {
  readonly word: KnownWord;
  /** The same text, every sign and capital of it, as a word of its own, at its place where that is known. */
  readonly right: boolean;
  /** How far the found box's left and right edges are off, in pixels; only of right words with a known place. */
  readonly off?: number;
}

/** Compares a screen's words with those that were read. */
export function judge(known: readonly KnownWord[], lines: readonly TextLine[]): Verdict[] {
  const found = lines.flatMap(({ words = [] }) => words);
  const left = [...found];
  return known.map((word) => {
    const { box, text } = word;
    if (box === undefined) {
      const at = left.findIndex((one) => one.text === text);
      if (at >= 0) left.splice(at, 1);
      return { word, right: at >= 0 };
    }
    const [x, y] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
    const one = found.find(
      (other) =>
        other.text === text &&
        x >= other.box[0] - 1 &&
        x <= other.box[2] + 1 &&
        y >= other.box[1] - 3 &&
        y <= other.box[3] + 3,
    );
    if (one === undefined) return { word, right: false };
    return { word, right: true, off: Math.max(Math.abs(one.box[0] - box[0]), Math.abs(one.box[2] - box[2])) };
  });
}

/** Sizes as they are reported: of the font, in px. */
export function sizeClass(size: number): '10-11' | '12-13' | '14-16' | '17-24' | '25+' {
  if (size < 12) return '10-11';
  if (size < 14) return '12-13';
  if (size < 17) return '14-16';
  return size < 25 ? '17-24' : '25+';
}
