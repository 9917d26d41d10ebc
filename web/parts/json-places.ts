/** How many values a JSON value holds, counted up to `most`. */
export function placesOf(value: unknown, most: number): number {
  let count = 0;
  const waiting: unknown[] = [value];
  for (let next = waiting.pop(); count < most; next = waiting.pop()) {
    if (next === undefined && waiting.length === 0) break;
    count += 1;
    if (typeof next === 'object' && next !== null)
      waiting.push(...(Object.values(next) as unknown[]).slice(0, most));
  }
  return count;
}

/** Whether a key or a value below (or here) holds the text. */
export function holdsText(name: string | undefined, value: unknown, sought: string): boolean {
  if (name?.toLowerCase().includes(sought) === true) return true;
  if (typeof value !== 'object' || value === null) return String(value).toLowerCase().includes(sought);
  return Object.entries(value).some(([key, inner]) => holdsText(key, inner, sought));
}
