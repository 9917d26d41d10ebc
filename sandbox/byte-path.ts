/** A path as bytes, one character (U+0000 to U+00FF) each: names need not be UTF-8, and JSON carries text only. */
export type BytePath = string;

/** The bytes of a path as text for people to read; bytes that are not UTF-8 show as U+FFFD. */
export function shownPath(path: BytePath): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

export function bytePathOf(text: string): BytePath {
  return Buffer.from(text, 'utf8').toString('latin1');
}

/** Encodes a path for a query: every byte but letters, digits and `/._-~` becomes `%XX`. */
export function encodePath(path: BytePath): string {
  return path.replaceAll(
    /[^A-Za-z0-9/._~-]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  );
}

/** Decodes a value of a query to the bytes it was encoded from; characters that came unencoded count as their UTF-8. */
export function decodePath(encoded: string): BytePath {
  const bytes = Buffer.from(encoded.replaceAll('+', ' '), 'utf8').toString('latin1');
  return bytes.replaceAll(/%([0-9a-f]{2})/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}

/** The value of one name in a query as it was sent, without decoding; undefined when the name is missing. */
export function rawQueryValue(url: string, name: string): string | undefined {
  const start = url.indexOf('?');
  if (start < 0) return undefined;
  const pair = url
    .slice(start + 1)
    .split('&')
    .find((each) => each.startsWith(`${name}=`));
  return pair?.slice(name.length + 1);
}
