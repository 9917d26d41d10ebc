const OTHER = 'other';

/**
 * A label's values as they come, until there are too many: each new one is then `other`. Every value is a series of its own in
 * Prometheus, so names that clients choose must not make any number of them.
 */
export function bounded(most: number): (value: string) => string {
  const known = new Set<string>();
  return (value) => {
    if (known.has(value)) return value;
    if (known.size >= most) return OTHER;
    known.add(value);
    return value;
  };
}
