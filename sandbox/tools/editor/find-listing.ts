import type { Guest } from '../../guest-protocol/guest.ts';
import { ToolError } from '../tool.ts';

const UNFINISHED = '/bin/sh: 1: Syntax error: Unterminated quoted string\n';

/**
 * Returns what the reference's directory view shows: `find` in the file system's own order. The reference puts the path
 * into a shell command. Here no shell is involved, and only the shell's splitting of the path at spaces and quotes is
 * reproduced. Nothing is expanded, substituted or executed.
 * @throws ToolError with the complaint of `find`, as the reference answers then
 */
export async function findListing(run: Guest['run'], path: string): Promise<string> {
  const words = wordsOf(path);
  if (words === null) throw new ToolError(UNFINISHED);
  const { stdout, stderr } = await run([
    'find',
    ...words,
    '-maxdepth',
    '2',
    '-not',
    '-path',
    String.raw`*/\.*`,
  ]);
  if (stderr.length > 0) throw new ToolError(utf8Text(stderr));
  return utf8Text(stdout);
}

/**
 * Returns the words a shell splits a path into. It is the path alone where one of them would be no path to `find`, and
 * null when a quote is open.
 */
function wordsOf(path: string): readonly string[] | null {
  const pieces: readonly string[] = path.match(/'[^']*'|"[^"]*"|[^\n\t '"]+|[\n\t ]+|['"]/g) ?? [];
  if (pieces.some((piece) => piece === "'" || piece === '"')) return null;
  const words = [''];
  for (const piece of pieces) {
    if (/^[\n\t ]/.test(piece)) words.push('');
    else words[words.length - 1] += /^['"]/.test(piece) ? piece.slice(1, -1) : piece;
  }
  const filled = words.filter((word) => word !== '');
  const plain = !path.includes('\n') && filled.slice(1).every((word) => !/^[-(),!]/.test(word));
  return plain ? filled : [path];
}

function utf8Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
