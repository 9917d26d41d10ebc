import { type CharTest, parsePattern, PatternError, type PatternNode } from './pattern-syntax.ts';

/** Steps of a compiled pattern at most: with the longest text it bounds the time that a match can take. */
const MOST_STEPS = 1000;

type Step =
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

/** A pattern ready to be matched. */
export interface Pattern {
  matches(text: string, options: MatchOptions): boolean;
}

/**
 * Compiles a pattern. A match takes time proportional to the length of the text times that of the pattern, whatever the two
 * are: all ways through the pattern are followed side by side, one character at a time, and none is tried twice.
 * @throws {PatternError} also for one that comes to more than 1,000 steps
 */
export function compilePattern(source: string): Pattern {
  const steps: Step[] = [];
  write(parsePattern(source), steps);
  steps.push({ kind: 'done' });
  return { matches: (text, options) => run(steps, text, options) };
}

/** Writes the steps of a node; they fall through to whatever is written next. */
function write(node: PatternNode, steps: Step[]): void {
  if (steps.length > MOST_STEPS) throw new PatternError(`a pattern of more than ${MOST_STEPS} steps`);
  switch (node.kind) {
    case 'char':
      steps.push(node);
      return;
    case 'empty':
      return;
    case 'sequence':
      for (const part of node.parts) write(part, steps);
      return;
    case 'choice': {
      const fork = steps.push({ kind: 'done' }) - 1;
      const starts: number[] = [];
      const ends: number[] = [];
      for (const part of node.parts) {
        starts.push(steps.length);
        write(part, steps);
        ends.push(steps.push({ kind: 'done' }) - 1);
      }
      steps[fork] = { kind: 'fork', next: starts };
      for (const end of ends) steps[end] = { kind: 'fork', next: [steps.length] };
      return;
    }
    case 'repeat': {
      for (let count = 0; count < node.least; count += 1) write(node.part, steps);
      if (node.most === null) {
        const fork = steps.push({ kind: 'done' }) - 1;
        write(node.part, steps);
        steps.push({ kind: 'fork', next: [fork] });
        steps[fork] = { kind: 'fork', next: [fork + 1, steps.length] };
        return;
      }
      const forks: number[] = [];
      for (let count = node.least; count < node.most; count += 1) {
        forks.push(steps.push({ kind: 'done' }) - 1);
        write(node.part, steps);
      }
      for (const fork of forks) steps[fork] = { kind: 'fork', next: [fork + 1, steps.length] };
      return;
    }
    default:
      steps.push({ kind: node.kind, next: steps.length + 1 });
  }
}

function run(steps: readonly Step[], text: string, { whole, exactCase, dotAll }: MatchOptions): boolean {
  const points = Array.from(text, (char) => char.codePointAt(0) ?? 0);
  const marks = new Int32Array(steps.length).fill(-1);
  let current: number[] = [];
  for (let at = 0; at <= points.length; at += 1) {
    // A match may begin anywhere unless it has to be the whole.
    if (at === 0 || !whole) follow(0, at, current);
    if (current.some((step) => steps[step]?.kind === 'done') && (!whole || at === points.length)) return true;
    const point = points[at];
    if (point === undefined) return false;
    const next: number[] = [];
    for (const step of current) {
      const { kind, test } = steps[step] as { kind: string; test: CharTest };
      if (kind === 'char' && accepts(test, point, exactCase, dotAll)) follow(step + 1, at + 1, next);
    }
    current = next;
  }
  return false;

  /** Adds a step and all that it leads to without a character. */
  function follow(first: number, at: number, into: number[]): void {
    const open = [first];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (marks[index] === at) continue;
      marks[index] = at;
      const step = steps[index] as Step;
      if (step.kind === 'fork') open.push(...step.next);
      else if (step.kind === 'char' || step.kind === 'done') into.push(index);
      else if (holds(step.kind, points, at)) open.push(step.next);
    }
  }
}

function holds(
  kind: 'start' | 'end' | 'boundary' | 'inside',
  points: readonly number[],
  at: number,
): boolean {
  const before = points[at - 1];
  const after = points[at];
  if (kind === 'start') return before === undefined || before === 10;
  if (kind === 'end') return after === undefined || after === 10;
  return (isWord(before) !== isWord(after)) === (kind === 'boundary');
}

function isWord(point: number | undefined): boolean {
  return point !== undefined && /^\w$/.test(String.fromCodePoint(point));
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
