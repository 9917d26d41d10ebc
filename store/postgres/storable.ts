/** PostgreSQL's text cannot hold the character NUL; the sign for it stands in its place. JSON has it escaped anyway. */
export function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable);
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u2400') : value;
}
