/** The approximate length of a part, in characters. */
const PART = 64 * 1024;

/** A JSON value's text: a small value in one part, a larger one member by member, a long string in pieces. */
export function* valueJson(value: unknown): Generator<string, void, undefined> {
  if (textLength(value) <= PART) {
    yield JSON.stringify(value);
  } else if (typeof value === 'string') {
    yield '"';
    for (let at = 0; at < value.length;) {
      const end = borderNear(value, at + PART);
      yield JSON.stringify(value.slice(at, end)).slice(1, -1);
      at = end;
    }
    yield '"';
  } else if (Array.isArray(value)) {
    yield '[';
    for (const [index, item] of value.entries()) {
      if (index > 0) yield ',';
      yield* valueJson(item);
    }
    yield ']';
  } else if (typeof value === 'object' && value !== null) {
    yield '{';
    const members = Object.entries(value).filter(([, item]) => item !== undefined);
    for (const [index, [name, item]] of members.entries()) {
      yield `${index > 0 ? ',' : ''}${JSON.stringify(name)}:`;
      yield* valueJson(item);
    }
    yield '}';
  }
}

/** The characters of all texts in a value, counted only until it is known to be large. */
function textLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let sum = 2;
  for (const name in value) {
    sum += name.length + textLength((value as Readonly<Record<string, unknown>>)[name]);
    if (sum > PART) break;
  }
  return sum;
}

/** The place near `at` to cut a text, which is never within a surrogate pair. */
function borderNear(text: string, at: number): number {
  const end = Math.min(at, text.length);
  return end < text.length && /[\uDC00-\uDFFF]/.test(text.charAt(end)) ? end + 1 : end;
}
