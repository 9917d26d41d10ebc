/** One place of a context that a macrostep has changed. */
export interface ContextChange {
  /** Such as `order.lines[2].price`. */
  readonly path: string;
  /** Absent where there was nothing. */
  readonly before?: unknown;
  /** Absent where there is nothing any more. */
  readonly after?: unknown;
}

/** The innermost places at which two values of JSON differ. */
export function changesBetween(before: unknown, after: unknown, path = ''): ContextChange[] {
  if (before === after) return [];
  if (Array.isArray(before) && Array.isArray(after)) {
    const length = Math.max(before.length, after.length);
    return Array.from({ length }, (_, index) => index).flatMap((index) =>
      changesAt(before, after, index, `${path}[${index}]`),
    );
  }
  if (isPlain(before) && isPlain(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      changesAt(before, after, key, path === '' ? key : `${path}.${key}`),
    );
  }
  // An encoded value, such as a Date, is written anew each time.
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  return [
    {
      path,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    },
  ];
}

function changesAt(before: object, after: object, key: PropertyKey, path: string): ContextChange[] {
  const at = (value: object): unknown =>
    Object.hasOwn(value, key) ? (value as Readonly<Record<PropertyKey, unknown>>)[key] : undefined;
  return changesBetween(at(before), at(after), path);
}

/** An object whose fields are compared one by one. An encoded value, such as a Date, is one value. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !('$type' in value);
