/** An 8-connected group of pixels as its runs, row by row from the top; each run is `y, first x, last x`. */
interface Component {
  readonly runs: readonly number[];
}

/** The groups of pixels whose value is above `threshold`, in the order of their first pixels. */
export function connectedComponents(
  map: Float32Array,
  width: number,
  height: number,
  threshold: number,
): Component[] {
  const runs: number[] = [];
  const parents: number[] = [];
  const root = (run: number): number => {
    let at = run;
    for (let up = parents[at] ?? at; up !== at; up = parents[at] ?? at) {
      parents[at] = parents[up] ?? up;
      at = up;
    }
    return at;
  };
  let above = 0;
  for (let y = 0; y < height; y += 1) {
    const first = parents.length;
    const row = y * width;
    let candidate = above;
    for (let x = 0; x < width; x += 1) {
      if (!((map[row + x] ?? 0) > threshold)) continue;
      const start = x;
      while (x + 1 < width && (map[row + x + 1] ?? 0) > threshold) x += 1;
      const run = parents.length;
      parents.push(run);
      runs.push(y, start, x);
      while (candidate < first && (runs[candidate * 3 + 2] ?? 0) < start - 1) candidate += 1;
      for (let other = candidate; other < first && (runs[other * 3 + 1] ?? 0) <= x + 1; other += 1) {
        const [a, b] = [root(run), root(other)];
        parents[Math.max(a, b)] = Math.min(a, b);
      }
    }
    above = first;
  }
  const components = new Map<number, number[]>();
  for (let run = 0; run < parents.length; run += 1) {
    const key = root(run);
    const own = components.get(key);
    const [y = 0, start = 0, end = 0] = runs.slice(run * 3, run * 3 + 3);
    if (own === undefined) components.set(key, [y, start, end]);
    else own.push(y, start, end);
  }
  return [...components.values()].map((own) => ({ runs: own }));
}
