import { encodeData } from '@steadyhand/statechart/client';

/** A value as JSON: dates, maps, errors and the like in the form that the statechart library gives them. */
export function plainJson(value: unknown): unknown {
  const text = JSON.stringify(value, function (this: unknown, key: string, given: unknown): unknown {
    // `given` of a date is its text already.
    const raw = (this as Readonly<Record<string, unknown>>)[key];
    if (typeof raw === 'bigint') return encoded(raw);
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return given;
    return isPlain(raw) ? given : encoded(raw);
  });
  return text === undefined ? null : (JSON.parse(text) as unknown);
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects of a workflow's sandbox or a test's realm have an Object of their own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function encoded(value: unknown): unknown {
  try {
    return encodeData(value, 'value');
  } catch {
    return String(value);
  }
}
