/** Readers of messages in the JSON form of protobuf, in which what has its default is absent. */

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A message; empty when it is absent. */
export function fieldsOf(fields: Fields, key: string): Fields {
  const value = fields[key];
  return isFields(value) ? value : {};
}

/** A message; null when it is absent. */
export function maybeFields(fields: Fields, key: string): Fields | null {
  const value = fields[key];
  return isFields(value) ? value : null;
}

export function listOf(fields: Fields, key: string): readonly Fields[] {
  const value = fields[key];
  return Array.isArray(value) ? value.filter((item) => isFields(item)) : [];
}

/** A text; empty when it is absent. */
export function textOf(fields: Fields, key: string): string {
  const value = fields[key];
  return typeof value === 'string' ? value : '';
}

export function maybeText(fields: Fields, key: string): string | null {
  return textOf(fields, key) || null;
}

/** A number; 0 when it is absent. */
export function numberOf(fields: Fields, key: string): number {
  const number = Number(fields[key] ?? 0);
  return Number.isFinite(number) ? number : 0;
}

export function isSet(fields: Fields, key: string): boolean {
  return fields[key] === true;
}

/** A time, without the one that stands for none. */
export function maybeTime(fields: Fields, key: string): string | null {
  const text = textOf(fields, key);
  return text === '' || text.startsWith('0001-01-01') ? null : text;
}

export function timeOf(fields: Fields, key: string): string {
  return maybeTime(fields, key) ?? new Date(0).toISOString();
}

/** A duration in milliseconds; null when it is absent. */
export function maybeMs(fields: Fields, key: string): number | null {
  const text = textOf(fields, key);
  return text.endsWith('s') ? Number(text.slice(0, -1)) * 1000 : null;
}

/** The same of a limit, for which no time means that there is none. */
export function limitMs(fields: Fields, key: string): number | null {
  return maybeMs(fields, key) || null;
}

/** The word of an enum without its prefix in lower case: `WORKFLOW_EXECUTION_STATUS_TIMED_OUT` is `timed_out`. */
export function wordOf(fields: Fields, key: string, prefix: string): string {
  const text = textOf(fields, key);
  return (text.startsWith(prefix) ? text.slice(prefix.length) : text).toLowerCase();
}

/** The same of words that are known, with one for all others. */
export function choiceOf<const W extends string>(
  fields: Fields,
  key: string,
  prefix: string,
  words: readonly W[],
  otherwise: NoInfer<W>,
): W {
  const word = wordOf(fields, key, prefix);
  return words.find((known) => known === word) ?? otherwise;
}
