/** Length of a delta's text, in UTF-16 units: a few lines of text. */
const PIECE = 512;

/** A text cut into pieces for the deltas of a stream; never within a surrogate pair. Empty for the empty text. */
export function pieces(text: string, length = PIECE): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + length, text.length);
    // A low surrogate belongs to the unit before it.
    if (end < text.length && /[\uDC00-\uDFFF]/.test(text.charAt(end))) end += 1;
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}
