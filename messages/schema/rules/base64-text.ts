/** The number of characters that are decoded at a time; it is a multiple of four. */
const PIECE = 1024 * 1024;

/** Pieces are decoded into this buffer, which nobody reads. */
const scratch = Buffer.allocUnsafeSlow((PIECE / 4) * 3);

/**
 * Whether a text is valid base64. The decoder skips unknown characters, so its output would be too short. The text is
 * decoded in pieces to avoid a copy of the whole.
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
