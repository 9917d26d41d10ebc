/** The most characters of a file that are shown. */
export const MAX_SHOWN = 16_000;
/** The number of lines shown before and after an edit. */
export const SNIPPET_LINES = 4;
const CLIPPED =
  '<response clipped><NOTE>To save on context only part of this file has been shown to you. You should retry this tool after you have searched inside the file with `grep -n` in order to find the line numbers of what you are looking for.</NOTE>';

/**
 * Does what Python's `str.expandtabs()` does: tabs fill up to the next multiple of eight columns, counted in characters
 * from the line's begin.
 */
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

/** Returns the first characters (16,000 by default) and a note when there are more. */
export function clip(text: string, characters = MAX_SHOWN): string {
  if (text.length <= characters) return text;
  const chars = Array.from(text);
  return chars.length <= characters ? text : chars.slice(0, characters).join('') + CLIPPED;
}

/** Returns text with numbered lines as the reference shows it; `what` is the file or a snippet of it. */
export function numbered(text: string, what: string, firstLine = 1): string {
  const lines = text.split('\n').map((line, index) => `${String(index + firstLine).padStart(6)}\t${line}`);
  return `Here's the result of running \`cat -n\` on ${what}:\n${lines.join('\n')}\n`;
}

/**
 * Returns where `part` occurs without overlap, as Python's `str.count` counts. An empty part occurs once in an empty
 * text, else everywhere, and only the first and the last place are returned.
 */
export function occurrences(text: string, part: string): number[] {
  if (part === '') return text === '' ? [0] : [0, text.length];
  const found: number[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found.push(at);
  return found;
}

/** Returns how many line breaks are before `offset`. */
export function lineBreaks(text: string, offset = text.length): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
