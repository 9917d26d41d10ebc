/** How many characters are decoded at a time: a multiple of four. */
const PIECE = 1024 * 1024;

/** Where pieces are decoded to; nobody reads it. */
const scratch = Buffer.allocUnsafeSlow((PIECE / 4) * 3);

/**
 * Whether the text is base64 and nothing else: the decoder passes over what it does not know, so that something is then
 * missing. In pieces, so that no copy of the whole is made.
 */
export function isBase64(data: string): boolean {
  if (data.length === 0 || data.length % 4 !== 0 || data.includes('-') || data.includes('_')) return false;
  for (let start = 0; start < data.length; start += PIECE) {
    const piece = data.slice(start, start + PIECE);
    const isLast = start + PIECE >= data.length;
    if (!isLast && piece.endsWith('=')) return false;
    if (scratch.write(piece, 'base64') !== Buffer.byteLength(piece, 'base64')) return false;
  }
  return true;
}
