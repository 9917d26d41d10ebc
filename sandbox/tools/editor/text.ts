/** Characters of a file that are shown at most. */
export const MAX_SHOWN = 16_000;
/** Lines shown before and after an edit. */
export const SNIPPET_LINES = 4;
const CLIPPED =
  '<response clipped><NOTE>To save on context only part of this file has been shown to you. You should retry this tool after you have searched inside the file with `grep -n` in order to find the line numbers of what you are looking for.</NOTE>';

/** Python's `str.expandtabs()`: tabs to the next multiple of eight columns, counted in characters since the line's begin. */
export function expandTabs(text: string, startColumn = 0): string {
  if (!text.includes('\t')) return text;
  let column = startColumn;
  let expanded = '';
  for (const char of text) {
    if (char === '\t') {
      const width = 8 - (column % 8);
      expanded += ' '.repeat(width);
      column += width;
    } else {
      expanded += char;
      column = char === '\n' || char === '\r' ? 0 : column + 1;
    }
  }
  return expanded;
}

/** The first characters (16,000 unless told) and a note, when there are more. */
export function clip(text: string, characters = MAX_SHOWN): string {
  if (text.length <= characters) return text;
  const chars = Array.from(text);
  return chars.length <= characters ? text : chars.slice(0, characters).join('') + CLIPPED;
}

/** Text with numbered lines as the reference shows it, `what` being the file or a snippet of it. */
export function numbered(text: string, what: string, firstLine = 1): string {
  const lines = text.split('\n').map((line, index) => `${String(index + firstLine).padStart(6)}\t${line}`);
  return `Here's the result of running \`cat -n\` on ${what}:\n${lines.join('\n')}\n`;
}

/**
 * Where `part` occurs, not overlapping, as Python's `str.count` counts. An empty part occurs once in an empty text, else at
 * every place, of which only the first and the last are given.
 */
export function occurrences(text: string, part: string): number[] {
  if (part === '') return text === '' ? [0] : [0, text.length];
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

/** How many line breaks lie before `offset`. */
export function lineBreaks(text: string, offset = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
