import { ctcCharacters } from './ctc.ts';
import type { Recognition } from './text-models.ts';

/** A character that the recogniser saw, and where. */
export interface Character {
  readonly text: string;
  readonly probability: number;
  /** Its centre, in steps of the recogniser; the first step is 0 to 1. */
  readonly step: number;
  /** Every other character with a probability of at least 0.01 at that step. */
  readonly others: Readonly<Record<string, number>>;
}

/** Reads the characters, spaces included, of one piece of a line. */
export type Decode = (recognition: Recognition) => Character[];

/** Signs beside ASCII that the recogniser knows and screens show. */
const SIGNS = '€£¥§°±×÷·•…–—‘’“”←↑→↓′″√≤≥≈∞èéíòóùúàáâêîôûäöüß';
/** Chinese signs that look like Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  '。': '.',
  '、': ',',
  '￥': '¥',
  '∶': ':',
  '︰': ':',
  '～': '~',
  '﹣': '-',
  '－': '-',
};

interface Symbol {
  readonly text: string;
  readonly classes: readonly number[];
}

/**
 * Decodes the recogniser's classes as Latin text, unless Chinese characters prevail.
 *
 * The recogniser was trained on Chinese and English. It often takes the full-width form of a sign, or divides the
 * probability between both forms. For Latin text only Latin symbols compete, with the probabilities of their lookalikes
 * added.
 */
export function createAlphabet(keys: readonly string[]): Decode {
  const byText = new Map<string, number[]>();
  for (const [index, key] of ['', ...keys, ' '].entries()) {
    const text = index === 0 ? undefined : latin(key);
    if (text === undefined) continue;
    const classes = byText.get(text);
    if (classes === undefined) byText.set(text, [index]);
    else classes.push(index);
  }
  const symbols = [...byText].map(([text, classes]): Symbol => ({ text, classes }));
  return (recognition) => {
    const { sums, foreign } = probabilities(recognition, symbols);
    if (foreign > 0.5) {
      const { data, steps, classes } = recognition;
      return ctcCharacters(data, steps, classes, keys).map(({ text, probability, first }) => {
        return { text, probability, step: first + 0.5, others: {} };
      });
    }
    return latinCharacters(recognition, symbols, sums);
  };
}

function latin(key: string): string | undefined {
  const code = key.codePointAt(0) ?? 0;
  if (key.length === 1 && ((code >= 32 && code < 127) || SIGNS.includes(key))) return key;
  if (LOOKALIKES[key] !== undefined) return LOOKALIKES[key];
  return code > 0xff00 && code < 0xff5f ? String.fromCharCode(code - 0xfee0) : undefined;
}

/** Answers the probability of each symbol at each step, and which part of what is no blank belongs to no symbol. */
function probabilities(
  { data, steps, classes }: Recognition,
  symbols: readonly Symbol[],
): { sums: Float32Array; foreign: number } {
  const sums = new Float32Array(steps * symbols.length);
  let text = 0;
  let known = 0;
  for (let step = 0; step < steps; step += 1) {
    const row = step * classes;
    text += 1 - (data[row] ?? 0);
    let to = step * symbols.length;
    for (const symbol of symbols) {
      let sum = 0;
      for (const at of symbol.classes) sum += data[row + at] ?? 0;
      sums[to] = sum;
      known += sum;
      to += 1;
    }
  }
  return { sums, foreign: text < 0.5 ? 0 : 1 - known / text };
}

function latinCharacters(
  { data, steps, classes }: Recognition,
  symbols: readonly Symbol[],
  sums: Float32Array,
): Character[] {
  const characters: Character[] = [];
  let before = -1;
  let weight = 0;
  for (let step = 0; step < steps; step += 1) {
    const row = step * symbols.length;
    let best = -1;
    let most = data[step * classes] ?? 0;
    for (let at = 0; at < symbols.length; at += 1) {
      const probability = sums[row + at] ?? 0;
      if (probability > most) {
        most = probability;
        best = at;
      }
    }
    const previous = characters.at(-1);
    if (best >= 0 && best === before && previous !== undefined) {
      const centre = (previous.step * weight + (step + 0.5) * most) / (weight + most);
      weight += most;
      characters[characters.length - 1] = {
        ...previous,
        step: centre,
        probability: Math.max(previous.probability, most),
      };
    } else if (best >= 0) {
      weight = most;
      characters.push({
        text: symbols[best]?.text ?? '',
        probability: most,
        step: step + 0.5,
        others: others(symbols, sums, row, best),
      });
    }
    before = best;
  }
  return characters;
}

function others(
  symbols: readonly Symbol[],
  sums: Float32Array,
  row: number,
  best: number,
): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [at, { text }] of symbols.entries()) {
    const probability = sums[row + at] ?? 0;
    if (at !== best && probability >= 0.01) found[text] = probability;
  }
  return found;
}
