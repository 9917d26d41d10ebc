import type { Guest } from '../../guest-protocol/guest.ts';
import { ToolError } from '../tool.ts';

const UNFINISHED = '/bin/sh: 1: Syntax error: Unterminated quoted string\n';

/**
 * What the reference's directory view gives: `find` in the file system's own order. The reference puts the path into a shell
 * command; here no shell is involved, and of what that would make of the path only the words it falls into at spaces and
 * quotes are reproduced. Nothing is expanded, substituted or executed.
 * @throws ToolError with what `find` complained about, as the reference answers then.
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
  if (stderr.length > 0) throw new ToolError(text(stderr));
  return text(stdout);
}

/** The words a shell reads a path as; the path alone where one of them would be no path to `find`; null: a quote is open. */
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

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
}
