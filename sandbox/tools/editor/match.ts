import { expandTabs, occurrences } from './text.ts';

/** Where an `old_str` was found, and the edit that replaces it by a `new_str`. */
export interface Match {
  /** Where it begins in the file's text. */
  readonly start: number;
  /** The part of the file's text to remove, and its replacement. */
  readonly edit: { readonly start: number; readonly end: number; readonly text: string };
}

/** Returns every occurrence of `oldText` in `text`, compared exactly. */
export function exactMatches(text: string, oldText: string, newText: string): Match[] {
  return occurrences(text, oldText).map((start) => ({
    start,
    edit: { start, end: start + oldText.length, text: newText },
  }));
}

/**
 * Returns every occurrence of `oldText` in `text`: compared exactly; else with both kinds of line ends equal; else with
 * tabs and the equivalent spaces equal too, wherever the first line of `oldText` was cut. What `newText` has in common
 * with `oldText` at its begin and end is left in the file as it is, so tabs and line ends that the edit does not mean
 * to change survive. New lines end as the file's lines do.
 */
export function tolerantMatches(text: string, oldText: string, newText: string): Match[] {
  const crlf = lineEnd(text) === '\r\n';
  const exact = exactMatches(text, oldText, crlf ? withLineEnds(newText, '\r\n') : newText);
  if (exact.length > 0) return exact;
  const wanted = toLf(oldText);
  const replacement = toLf(newText);
  const [head, tail] = common(wanted, replacement);
  const changed = withLineEnds(replacement.slice(head, replacement.length - tail), crlf ? '\r\n' : '\n');
  for (const tabs of [false, true]) {
    const view = project(text, tabs);
    const found = readings(wanted, tabs).flatMap(({ column, read }) => {
      const part = read(wanted);
      const from = read(wanted.slice(0, head)).length;
      const to = read(wanted.slice(0, wanted.length - tail)).length;
      return occurrences(view.text, part)
        .filter((at) => column === null || columnOf(view.text, at) % 8 === column)
        .map((at) => ({
          at,
          end: at + part.length,
          match: { start: view.source[at] ?? 0, edit: toSource(view, at + from, at + to, changed) },
        }));
    });
    if (found.length > 0) return apart(found.toSorted((a, b) => a.at - b.at)).map(({ match }) => match);
  }
  return [];
}

/** Returns those of the sorted places that do not begin within the previous one. */
function apart<T extends { readonly at: number; readonly end: number }>(places: readonly T[]): T[] {
  let end = 0;
  return places.filter((place) => {
    if (place.at < end) return false;
    end = place.end;
    return true;
  });
}

/** Returns how most lines of a text end. */
export function lineEnd(text: string): '\n' | '\r\n' {
  return occurrences(text, '\r\n').length * 2 > occurrences(text, '\n').length ? '\r\n' : '\n';
}

export function withLineEnds(text: string, end: '\n' | '\r\n'): string {
  return end === '\n' ? toLf(text) : toLf(text).replaceAll('\n', end);
}

function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** One way to expand the tabs of an `old_str` whose first line was cut somewhere. */
interface Reading {
  /** The column modulo 8 at which it is valid; null means any. */
  readonly column: number | null;
  readonly read: (part: string) => string;
}

function readings(wanted: string, tabs: boolean): Reading[] {
  if (!tabs || !wanted.includes('\t')) return [{ column: null, read: (part) => part }];
  return Array.from({ length: 8 }, (_, column) => ({ column, read: (part) => expandTabs(part, column) }));
}

/** A file's text with each line end as `\n` and, if asked for, each tab as spaces, and the map back to the source. */
interface Projection {
  readonly text: string;
  /** For each unit of `text` and its end, the position at which its source begins. */
  readonly source: Uint32Array;
  /** How far into the spaces of one tab each unit is; 0 outside of tabs. */
  readonly inTab: Uint8Array;
}

function project(text: string, tabs: boolean): Projection {
  const parts: string[] = [];
  const source: number[] = [];
  const inTab: number[] = [];
  let column = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text[i] as string;
    if (unit === '\r' && text[i + 1] === '\n') {
      parts.push('\n');
      source.push(i++);
      inTab.push(0);
      column = 0;
    } else if (unit === '\t' && tabs) {
      const width = 8 - (column % 8);
      parts.push(' '.repeat(width));
      for (let step = 0; step < width; step++) {
        source.push(i);
        inTab.push(step);
      }
      column += width;
    } else {
      parts.push(unit);
      source.push(i);
      inTab.push(0);
      if (unit === '\n' || unit === '\r') column = 0;
      else if (!isLowSurrogate(unit)) column++;
    }
  }
  source.push(text.length);
  inTab.push(0);
  return { text: parts.join(''), source: Uint32Array.from(source), inTab: Uint8Array.from(inTab) };
}

function isLowSurrogate(unit: string): boolean {
  const code = unit.charCodeAt(0);
  return code >= 0xdc00 && code <= 0xdfff;
}

function columnOf(text: string, at: number): number {
  return Array.from(text.slice(text.lastIndexOf('\n', at - 1) + 1, at)).length;
}

/** Returns the edit of the file's own text that replaces a stretch of the projection by `text`. */
function toSource(view: Projection, from: number, to: number, text: string): Match['edit'] {
  const sourceAt = (index: number): number => view.source[index] ?? 0;
  const stepAt = (index: number): number => view.inTab[index] ?? 0;
  // An edit that begins or ends within a tab leaves the rest of the tab as spaces.
  let spacesAfter = 0;
  while (stepAt(to + spacesAfter) > 0) spacesAfter++;
  return {
    start: sourceAt(from),
    end: sourceAt(to + spacesAfter),
    text: ' '.repeat(stepAt(from)) + text + ' '.repeat(spacesAfter),
  };
}

/** Returns how many units two texts have in common at their begin and at their end, without counting any twice. */
function common(a: string, b: string): [head: number, tail: number] {
  const most = Math.min(a.length, b.length);
  let head = 0;
  while (head < most && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < most - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return [head, tail];
}
