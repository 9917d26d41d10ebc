/** `order.lines[2].price` as a JSON pointer, `/order/lines/2/price`, for places that hold such keys. */
export function pointerOf(path: string, value: unknown): string {
  const parts: string[] = [];
  let rest = path;
  let at: unknown = value;
  while (rest !== '') {
    const key = nextKey(rest, at);
    parts.push(key.name.replaceAll('~', '~0').replaceAll('/', '~1'));
    at =
      typeof at === 'object' && at !== null ? (at as Readonly<Record<string, unknown>>)[key.name] : undefined;
    rest = rest.slice(key.length);
  }
  return parts.map((part) => `/${part}`).join('');
}

/** The first key of a path. A key may hold dots itself, so one that is really there is preferred, the longest first. */
function nextKey(path: string, at: unknown): { readonly name: string; readonly length: number } {
  const index = /^\[(\d+)\]\.?/.exec(path);
  if (index?.[1] !== undefined) return { name: index[1], length: index[0].length };
  const keys = typeof at === 'object' && at !== null ? Object.keys(at) : [];
  const found = keys
    .filter((key) => key !== '' && path.startsWith(key) && /^(?:[.[]|$)/.test(path.slice(key.length)))
    .toSorted((a, b) => b.length - a.length)[0];
  const name = found ?? /^[^.[]+/.exec(path)?.[0] ?? path;
  const dot = path[name.length] === '.' ? 1 : 0;
  return { name, length: name.length + dot };
}

/** Every changed place and those around it, so that the way to it is seen in a folded tree. */
export const markedPlaces = (
  changed: readonly { readonly path: string }[],
  context: unknown,
): ReadonlySet<string> => new Set(changed.map(({ path }) => pointerOf(path, context)));
