/** A value that JSON can represent. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/**
 * The canonical text of a JSON value: keys sorted by code unit, no white space, undefined members left out. Equal
 * values have equal texts, so a hash over the text is a hash over the value.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'null';
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  // fromEntries defines properties, so a key named `__proto__` stays an ordinary key.
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

/**
 * Reads and writes the `data` of records in the type that their only writer gives it. Nothing is checked: what is read
 * is what the same program wrote.
 */
export function recordData<T extends object>(): {
  readonly dataOf: (record: { readonly data: JsonObject }) => T;
  readonly toJson: (data: T) => JsonObject;
} {
  return { dataOf: ({ data }) => data as unknown as T, toJson: (data) => data as unknown as JsonObject };
}
