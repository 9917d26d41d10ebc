/**
 * The reference tools are written in Python: their messages show values as `str()` and `repr()` print them, and their
 * numbers are rounded half to even. These functions print and round the same way.
 */

/** Returns Python's `str(value)` of a value that came as JSON. */
export function pythonStr(value: unknown): string {
  return typeof value === 'string' ? value : pythonRepr(value);
}

/** Returns the name of Python's type for a value that came as JSON. */
export function pythonType(value: unknown): string {
  if (value === null || value === undefined) return 'NoneType';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'string') return 'str';
  return Array.isArray(value) ? 'list' : 'dict';
}

/** Returns Python's `repr(value)` of a value that came as JSON. */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  if (typeof value !== 'object') return typeof value;
  const entries = Object.entries(value).map(([key, item]) => `${quoted(key)}: ${pythonRepr(item)}`);
  return `{${entries.join(', ')}}`;
}

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  let printed = '';
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0;
    if (char === quote) printed += `\\${char}`;
    else if (ESCAPES[char] !== undefined) printed += ESCAPES[char];
    else if (point < 0x20 || (point >= 0x7f && point <= 0xa0)) printed += `\\x${hex(point, 2)}`;
    else if (point >= 0xd800 && point <= 0xdfff) printed += `\\u${hex(point, 4)}`;
    else printed += char;
  }
  return quote + printed + quote;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** Returns Python's `round(value)`: halves go to the even neighbour. */
export function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}

/**
 * Returns `str(Path(path))` of Python's pathlib: without doubled slashes, `.` parts and a slash at the end; `..` stays.
 */
export function pythonPath(path: string): string {
  const root = /^\/\/(?!\/)/.test(path) ? '//' : path.startsWith('/') ? '/' : '';
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  return root + parts.join('/') || '.';
}
