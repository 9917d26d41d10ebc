import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/** MiB of the files below a folder. */
export function sizeOf(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    // A file may go between the two looks.
    if (entry.isDirectory()) bytes += sizeOf(file) * 1024 * 1024;
    else bytes += statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  }
  return bytes / 1024 / 1024;
}

/** The slope of the least-squares line through points, in y for each x. */
export function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  const [mx, my] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const over = points.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return over / points.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}
