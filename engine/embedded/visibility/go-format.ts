/**
 * Formats values as the server's error texts show them (Go's `%v`), so that callers who match on a message find the
 * same one here.
 */
export function goFormat(value: unknown): string {
  if (value === null || value === undefined) return '<nil>';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return goFloat(value);
  if (Array.isArray(value)) return `[${value.map(goFormat).join(' ')}]`;
  if (typeof value === 'object') {
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries.map(([k, v]) => `${k}:${goFormat(v)}`).join(' ')}]`;
  }
  return String(value as bigint | boolean);
}

/** Formats a float64 with the shortest digits, and with an exponent below 1e-04 and from 1e+06 on (`5`, `1.5e+06`). */
export function goFloat(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${mantissa}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
