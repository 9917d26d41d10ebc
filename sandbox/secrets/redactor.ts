import { encodingsOf } from './encodings.ts';

interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** Removes the values of secrets from texts. */
export interface Redactor {
  /** The text with `[secret:NAME]` in place of every value, in whatever common encoding it is written. */
  readonly redact: (text: string) => string;
  /** Also finds what text recognition makes of a value on a screen: other spaces and case, 0 for O, 1 for l. */
  readonly redactRead: (text: string) => string;
}

/** Marks where the middle of a long output was removed; a value may have been split there. */
const CUT = '<response clipped>';
/** Values shorter than this are not looked for in recognized text, where too much would look like them. */
const MIN_READ = 6;
/** Forms shorter than this are not looked for across line ends. */
const MIN_FOLDED = 8;

interface Span {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

interface Form {
  readonly name: string;
  readonly text: string;
}

export function createRedactor(secrets: readonly NamedSecret[]): Redactor {
  const forms = secrets.flatMap(({ name, value }) =>
    encodingsOf(value).map((text): Form => ({ name, text })),
  );
  const read = secrets.flatMap(({ name, value }) => {
    const text = asRecognized(value).text;
    return text.length < MIN_READ ? [] : [{ name, text }];
  });
  const spansOf = (text: string): Span[] => [
    ...occurrences(text, forms),
    ...acrossLines(text, forms),
    ...cutOff(text, forms),
  ];
  return {
    redact: (text) => (forms.length === 0 ? text : replaced(text, spansOf(text))),
    redactRead: (text) =>
      forms.length === 0 ? text : replaced(text, [...spansOf(text), ...mapped(asRecognized(text), read)]),
  };
}

function occurrences(text: string, forms: readonly Form[]): Span[] {
  return forms.flatMap(({ name, text: form }) => {
    const spans: Span[] = [];
    for (let from = text.indexOf(form); from !== -1; from = text.indexOf(form, from + 1))
      spans.push({ from, to: from + form.length, name });
    return spans;
  });
}

/** A text with some of its characters left out or changed, and the original position of each remaining one. */
interface Folded {
  readonly text: string;
  readonly places: readonly number[];
}

function mapped({ text, places }: Folded, forms: readonly Form[]): Span[] {
  return occurrences(text, forms).map(({ from, to, name }) => ({
    from: places[from] ?? 0,
    to: (places[to - 1] ?? 0) + 1,
    name,
  }));
}

/** Finds forms across line ends, because programs break long lines anywhere. */
function acrossLines(text: string, forms: readonly Form[]): Span[] {
  if (!text.includes('\n')) return [];
  return mapped(
    folded(text, (char) => (char === '\n' || char === '\r' ? '' : char)),
    forms.filter((form) => form.text.length >= MIN_FOLDED && !form.text.includes('\n')),
  );
}

const LOOKALIKES: Readonly<Record<string, string>> = {
  o: '0',
  l: '1',
  i: '1',
  '|': '1',
  '!': '1',
  s: '5',
  b: '8',
  z: '2',
};

function asRecognized(text: string): Folded {
  return folded(text, (char) => {
    const lower = char.toLowerCase();
    return /\s/u.test(char) ? '' : lower.length === 1 ? (LOOKALIKES[lower] ?? lower) : char;
  });
}

function folded(text: string, fold: (char: string) => string): Folded {
  const places: number[] = [];
  let result = '';
  for (let index = 0; index < text.length; index += 1) {
    const kept = fold(text.charAt(index));
    if (kept === '') continue;
    result += kept;
    places.push(index);
  }
  return { text: result, places };
}

/** Finds the larger part of a value where the text begins, ends or was cut, because the rest may be in another text. */
function cutOff(text: string, forms: readonly Form[]): Span[] {
  const ends = [...cuts(text), text.length].map((end) => text.slice(0, end).trimEnd().length);
  const starts = [0, ...cuts(text).map((cut) => cut + CUT.length)].map(
    (start) => start + (text.slice(start).length - text.slice(start).trimStart().length),
  );
  return forms.flatMap(({ name, text: form }) => {
    const least = Math.max(4, Math.ceil(form.length / 2));
    const longest = form.length - 1;
    return [
      ...ends.map((to): Span => {
        const length = overlap(form, text.slice(Math.max(0, to - longest), to));
        return { from: to - length, to, name };
      }),
      ...starts.map((from): Span => {
        const length = overlap(text.slice(from, from + longest), form);
        return { from, to: from + length, name };
      }),
    ].filter(({ from, to }) => to - from >= least);
  });
}

/** The length of the longest beginning of one text that the other ends with, in linear time. */
function overlap(beginning: string, ending: string): number {
  const text = `${beginning}\u{10ffff}${ending}`;
  const borders = new Int32Array(text.length);
  for (let index = 1, border = 0; index < text.length; index += 1) {
    while (border > 0 && text[index] !== text[border]) border = borders[border - 1] ?? 0;
    if (text[index] === text[border]) border += 1;
    borders[index] = border;
  }
  return Math.min(borders.at(-1) ?? 0, beginning.length);
}

function cuts(text: string): number[] {
  return occurrences(text, [{ name: '', text: CUT }]).map(({ from }) => from);
}

/** Replaces spans. Overlapping spans become one, which is named after the longest of them. */
function replaced(text: string, spans: readonly Span[]): string {
  const sorted = spans.toSorted((one, other) => one.from - other.from || other.to - one.to);
  let result = '';
  let at = 0;
  for (let index = 0; index < sorted.length;) {
    const first = sorted[index] as Span;
    let longest = first;
    let { to } = first;
    for (index += 1; index < sorted.length && (sorted[index] as Span).from < to; index += 1) {
      const next = sorted[index] as Span;
      if (next.to - next.from > longest.to - longest.from) longest = next;
      to = Math.max(to, next.to);
    }
    result += `${text.slice(at, first.from)}[secret:${longest.name}]`;
    at = to;
  }
  return result + text.slice(at);
}
