/** What a search found in one file. Without lines where only the path was asked for. */
export interface FoundFile {
  readonly path: string;
  readonly lines: readonly { readonly number: number; readonly text: string }[];
}

export interface Found {
  readonly files: readonly FoundFile[];
  /** What the tool says beside what it found, e.g. that there is more. */
  readonly notes: readonly string[];
}

/** Reads the answer of `grep`, whose lines are `path:line:text`. */
export function foundLines(output: string): Found {
  const files = new Map<string, { number: number; text: string }[]>();
  const notes: string[] = [];
  for (const line of output.split('\n')) {
    const match = /^(\/?[^:]+):(\d+):(.*)$/.exec(line);
    if (match?.[1] === undefined) {
      if (line.trim() !== '') notes.push(line);
      continue;
    }
    const lines = files.get(match[1]) ?? [];
    lines.push({ number: Number(match[2]), text: match[3] ?? '' });
    files.set(match[1], lines);
  }
  return { files: [...files].map(([path, lines]) => ({ path, lines })), notes };
}

/** Reads the answer of `glob`, a path in each line. */
export function foundPaths(output: string): Found {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  return {
    files: lines.filter((line) => line.startsWith('/')).map((path) => ({ path, lines: [] })),
    notes: lines.filter((line) => !line.startsWith('/')),
  };
}
