/** A line of a diff: only before, only after, or in both. */
export interface DiffLine {
  readonly kind: 'gone' | 'new' | 'same';
  readonly text: string;
}

/** Above this many pairs of lines, what differs is shown as one block each. */
const MOST_PAIRS = 250_000;

/** The lines that differ between two texts, with the lines that stayed, in the order of reading. */
export function lineDiff(before: string, after: string): readonly DiffLine[] {
  const a = linesOf(before);
  const b = linesOf(after);
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head += 1;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1;
  const same = (lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind: 'same', text }));
  return [
    ...same(a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail)),
  ];
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

/** By the longest common subsequence. */
function middle(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  if (a.length * b.length > MOST_PAIRS) return [...all('gone', a), ...all('new', b)];
  const width = b.length + 1;
  /** At `i * width + j`: the length of the longest common subsequence of `a` from i and `b` from j. */
  const common = new Uint32Array((a.length + 1) * width);
  const lengthAt = (i: number, j: number): number => common[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * width + j] =
        a[i] === b[j] ? lengthAt(i + 1, j + 1) + 1 : Math.max(lengthAt(i + 1, j), lengthAt(i, j + 1));
    }
  }
  const lines: DiffLine[] = [];
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] ?? '' });
      i += 1;
      j += 1;
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) lines.push({ kind: 'gone', text: a[i++] ?? '' });
    else lines.push({ kind: 'new', text: b[j++] ?? '' });
  }
  return [...lines, ...all('gone', a.slice(i)), ...all('new', b.slice(j))];
}

function all(kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ kind, text }));
}
