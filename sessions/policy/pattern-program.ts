import type { Effort, Sliced } from './effort.ts';
import type { CharTest } from './pattern-syntax.ts';

/** A step of a compiled pattern; one of a character leads to the step behind it. */
export type Step =
  | { readonly kind: 'char'; readonly test: CharTest }
  | { readonly kind: 'start' | 'end' | 'boundary' | 'inside'; readonly next: number }
  | { readonly kind: 'fork'; readonly next: readonly number[] }
  | { readonly kind: 'done' };

export interface MatchOptions {
  /** The pattern has to cover the text from its first to its last character; else it need only be found in it. */
  readonly whole: boolean;
  /** Whether upper and lower case are told apart. */
  readonly exactCase: boolean;
  /** Whether `.` is a line break too. */
  readonly dotAll: boolean;
}

/** The ASCII characters of a set, a bit each. */
type AsciiSet = readonly [number, number, number, number];
/** What a character outside of ASCII costs more than one within. */
const FOREIGN = 10;
/** Characters that no match begins with, passed over at the cost of a unit. */
const PASSED = 10;

/** The steps of a pattern. All ways through them are followed side by side, one character at a time. */
export class Program {
  readonly #steps: readonly Step[];
  readonly #variants = new Map<string, Variant>();

  constructor(steps: readonly Step[]) {
    this.#steps = steps;
  }

  /** Null when the effort is spent before it is known. */
  *search(text: string, options: MatchOptions, effort: Effort): Sliced<boolean | null> {
    const steps = this.#steps;
    const { whole } = options;
    // A search has a cost, however short the text.
    effort.spend(PASSED + steps.length / PASSED);
    if (effort.isSpent) return null;
    if (effort.isDue) yield;
    const { accepted, first } = this.#variant(options);
    const marks = new Int32Array(steps.length).fill(-1);
    let current: number[] = [];
    let before: number | undefined;
    let isDone = false;
    let work = 0;
    for (let at = 0; ;) {
      if (!whole && current.length === 0 && first !== null) {
        const from = at;
        while (at < text.length && !mayBegin(first, text.charCodeAt(at))) at += 1;
        // What was passed over is ASCII.
        if (at > from) before = text.charCodeAt(at - 1);
        effort.spend((at - from) / PASSED);
      }
      const point = text.codePointAt(at);
      // A match may begin anywhere unless it has to be the whole.
      if (at === 0 || !whole) follow(0, at, point, current);
      if (isDone && (!whole || point === undefined)) return true;
      if (point === undefined) return false;
      if (whole && current.length === 0) return false;
      effort.spend(work + current.length * (point < 128 ? 1 : FOREIGN));
      work = 1;
      if (effort.isSpent) return null;
      if (effort.isDue) yield;
      isDone = false;
      const width = point > 0xffff ? 2 : 1;
      const next: number[] = [];
      const after = text.codePointAt(at + width);
      before = point;
      for (const step of current) {
        if (accepted(step, point)) follow(step + 1, at + width, after, next);
      }
      at += width;
      current = next;
    }

    /** Adds a step and all that it leads to without a character. */
    function follow(from: number, at: number, after: number | undefined, into: number[]): void {
      const open = [from];
      for (let index = open.pop(); index !== undefined; index = open.pop()) {
        work += 1;
        if (marks[index] === at) continue;
        marks[index] = at;
        const step = steps[index] as Step;
        if (step.kind === 'fork') open.push(...step.next);
        else if (step.kind === 'char') into.push(index);
        else if (step.kind === 'done') isDone = true;
        else if (holds(step.kind, before, after)) open.push(step.next);
      }
    }
  }

  #variant({ exactCase, dotAll }: MatchOptions): Variant {
    const key = `${exactCase} ${dotAll}`;
    const known = this.#variants.get(key);
    if (known !== undefined) return known;
    const made = variantOf(this.#steps, exactCase, dotAll);
    this.#variants.set(key, made);
    return made;
  }
}

/** A program's characters, told apart or not. */
interface Variant {
  readonly accepted: (step: number, point: number) => boolean;
  /** The characters that a match may begin with; null when there need be none. */
  readonly first: AsciiSet | null;
}

function variantOf(steps: readonly Step[], exactCase: boolean, dotAll: boolean): Variant {
  const sets = steps.map((step) =>
    step.kind === 'char' ? asciiSet((point) => accepts(step.test, point, exactCase, dotAll)) : undefined,
  );
  const accepted = (index: number, point: number): boolean => {
    if (point < 128) return has(sets[index] as AsciiSet, point);
    const step = steps[index] as Step & { kind: 'char' };
    return accepts(step.test, point, exactCase, dotAll);
  };
  const begins = beginnings(steps);
  const first = begins === null ? null : asciiSet((point) => begins.some((step) => accepted(step, point)));
  return { accepted, first };
}

/** The steps of characters that the first one may be held against; null when a match may have none. */
function beginnings(steps: readonly Step[]): number[] | null {
  const seen = new Set<number>();
  const open = [0];
  const begins: number[] = [];
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    if (seen.has(index)) continue;
    seen.add(index);
    const step = steps[index] as Step;
    if (step.kind === 'done') return null;
    if (step.kind === 'char') begins.push(index);
    else if (step.kind === 'fork') open.push(...step.next);
    else open.push(step.next);
  }
  return begins;
}

function asciiSet(holdsFor: (point: number) => boolean): AsciiSet {
  const bits: [number, number, number, number] = [0, 0, 0, 0];
  for (let point = 0; point < 128; point += 1) {
    if (holdsFor(point)) bits[point >> 5] = (bits[point >> 5] ?? 0) | (1 << (point & 31));
  }
  return bits;
}

function has(set: AsciiSet, point: number): boolean {
  return (((set[point >> 5] ?? 0) >>> (point & 31)) & 1) === 1;
}

/** In doubt outside of ASCII. */
function mayBegin(first: AsciiSet, unit: number): boolean {
  return unit > 127 || has(first, unit);
}

function holds(
  kind: 'start' | 'end' | 'boundary' | 'inside',
  before: number | undefined,
  after: number | undefined,
): boolean {
  if (kind === 'start') return before === undefined || before === 10;
  if (kind === 'end') return after === undefined || after === 10;
  return (isWord(before) !== isWord(after)) === (kind === 'boundary');
}

function isWord(point: number | undefined): boolean {
  return point !== undefined && point < 128 && /^\w$/.test(String.fromCharCode(point));
}

function accepts(test: CharTest, point: number, exactCase: boolean, dotAll: boolean): boolean {
  if (test.kind === 'any') return dotAll || (point !== 10 && point !== 13);
  const found = (wanted: number): boolean =>
    test.ranges.some(([first, last]) => wanted >= first && wanted <= last);
  return (found(point) || (!exactCase && otherCases(point).some(found))) !== test.negated;
}

function otherCases(point: number): number[] {
  const char = String.fromCodePoint(point);
  return [char.toLowerCase(), char.toUpperCase()].map((other) => other.codePointAt(0) ?? point);
}
